import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../../lib/errors.ts'
import { reserveBodyMemory } from '../../shared/body-memory.ts'
import { localizationOf } from './localization.ts'

/**
 * The longest field is a pasted travel document. No limit of `parts`: beyond it, the parser misses errors of truncated
 * parts, which would crash the server.
 */
const FIELDS = { fields: 12, fieldSize: 256 * 1024, fieldNameSize: 100, headerPairs: 20, files: 1 }
/** The parts beside a file. */
const MAX_FIELD_BYTES = 13 * 1024
/** With part headers and buffered bytes of the file. */
const MAX_RAW_FIELD_BYTES = 512 * 1024

const MEBIBYTE = 1024 * 1024

const textsOf = (request: FastifyRequest) => localizationOf(request).texts.errors

export class FileTooLarge extends Error {
  override name = 'FileTooLarge'

  constructor(request: FastifyRequest, limit: number) {
    super(textsOf(request).fileTooLarge({ mebibytes: Math.floor(limit / MEBIBYTE) }))
  }
}

export const acceptFiles = (app: FastifyInstance) => app.register(multipart)

export const fileLimitOf = ({ initialConfig }: FastifyInstance): number => initialConfig.bodyLimit ?? MEBIBYTE

interface Upload {
  request: FastifyRequest
  reply: FastifyReply
  userId: string
  named?: (name: string) => void
}

/** Waits for memory if other large bodies are being read. */
async function wholeFile({ file }: MultipartFile, limit: number, { request, reply, userId }: Upload): Promise<Buffer> {
  let room = Promise.withResolvers<void>()
  const memory = reserveBodyMemory(limit, userId, () => room.resolve())
  request.bodyMemory = memory
  reply.raw.once('close', memory.end)
  const pieces: Buffer[] = []
  for await (const piece of file) {
    pieces.push(piece)
    if (!memory.grow(piece.length)) {
      room = Promise.withResolvers()
      await room.promise
    }
  }
  memory.release()
  if (file.truncated) throw new FileTooLarge(request, limit)
  return Buffer.concat(pieces)
}

/** The parser skips any number of parts that are neither a field nor a file, so count the bytes beside the file. */
function limitBytesAroundFile(request: FastifyRequest, limit: number, open: Partial<MultipartFile>): void {
  const { raw } = request
  let bytesBefore = 0
  raw.on('data', function count({ length }: Buffer) {
    const around = bytesBefore - (open.file?.bytesRead ?? 0)
    bytesBefore += length
    if (around <= MAX_RAW_FIELD_BYTES) return
    raw.off('data', count)
    const tooMuch = new AppError('bad_request', textsOf(request).tooMuchAroundFile)
    raw.emit('error', open.file?.truncated ? new FileTooLarge(request, limit) : tooMuch)
  })
}

/** Reads the fields and the file of a form. `check` sees the fields before the file is read. */
export async function readUpload(upload: Upload, limit: number, check: () => void): Promise<Buffer | undefined> {
  const { request } = upload
  if (!request.isMultipart()) {
    check()
    return undefined
  }
  if (Number(request.headers['content-length']) > limit + MAX_FIELD_BYTES) throw new FileTooLarge(request, limit)
  const form = new URLSearchParams()
  let file: Buffer | undefined
  let isChecked = false
  const open: Partial<MultipartFile> = {}
  limitBytesAroundFile(request, limit, open)
  const checkOnce = () => {
    if (isChecked) return
    request.body = form
    check()
    isChecked = true
  }
  try {
    for await (const part of request.parts({ limits: { ...FIELDS, fileSize: limit } })) {
      if (part.type === 'field') {
        if (part.valueTruncated) throw new AppError('bad_request', textsOf(request).tooMuchAroundFile)
        form.append(part.fieldname, String(part.value))
        continue
      }
      // An unhandled error event of the stream would crash the server.
      part.file.on('error', () => undefined)
      open.file = part.file
      try {
        checkOnce()
      } catch (error) {
        // Drain the upload: browsers do not show an answer before they have sent everything.
        part.file.resume()
        throw error
      }
      upload.named?.(part.filename)
      file = await wholeFile(part, limit, upload)
    }
  } catch (error) {
    // Drain the rest without parsing it.
    request.raw.unpipe()
    request.raw.resume()
    const { code, message } = error as FastifyError
    if (code === 'FST_REQ_FILE_TOO_LARGE') throw new FileTooLarge(request, limit)
    // The parser reports malformed bodies by message only.
    if (code?.startsWith('FST_') || /multipart|terminated early|boundary/i.test(message)) {
      throw new AppError('bad_request', textsOf(request).uploadInterrupted, { cause: error })
    }
    throw error
  }
  checkOnce()
  return file
}
