type Label = [name: string, longitude: number, latitude: number]

/** The names on maps in one language, most important first. */
export interface MapLabels {
  /** Rank 0 is an ocean. */
  seas: [...Label, rank: number][]
  /** With the zoom from which a country has room for its name. */
  countries: [...Label, minZoom: number][]
  cities: [...Label, rank: number, isCapital: 0 | 1][]
}
