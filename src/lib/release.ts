/** Frees the memory of bytes that are no longer used. V8 would wait until there are tens of megabytes of them. */
export function release({ buffer, byteLength }: Uint8Array): void {
  // Short buffers share their memory.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
