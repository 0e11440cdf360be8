import type { Db } from '../../db/open.ts'
import { type KindRenewal, loadedVersion, type ReferenceFiles, renewReference } from './load.ts'
import { shippedVersion } from './shipped.ts'

export function referenceService({ db }: { db: Db }) {
  const isCurrent = () => loadedVersion(db) === shippedVersion()

  /** At start: does nothing when the tables already hold what this version ships. */
  function loadShipped(): KindRenewal[] {
    return isCurrent() ? [] : renewReference(db)
  }

  /** For the operator: from the shipped data, or from newer files. */
  const update = (files?: ReferenceFiles): KindRenewal[] => renewReference(db, files)

  return { loadShipped, update, isCurrent }
}
