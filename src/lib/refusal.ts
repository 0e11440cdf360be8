/** Something the operator must mend: printed as one sentence, without a stack. */
export class Refusal extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Refusal'
  }
}
