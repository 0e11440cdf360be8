/**
 * Gives the memory of bytes that nobody will look at again back at once. Left to itself the engine collects them only
 * when tens of megabytes of them have come together.
 */
export function release({ buffer, byteLength }: Uint8Array): void {
  // Short pieces share their memory with others.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
