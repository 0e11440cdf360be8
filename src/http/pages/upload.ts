import multipart, { type MultipartFile } from '@fastify/multipart'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { reserveBodyMemory } from '../shared/body-memory.ts'

/**
 * Fields around the file are few and short. Parts as such are not counted: beyond that limit the parser hears no error of
 * a part that breaks off, and one such body would end the server.
 */
const FIELDS = { fields: 12, fieldSize: 1024, fieldNameSize: 100, headerPairs: 20, files: 1 }
/** What a form may have beside its file. */
const MOST_AROUND = (FIELDS.fields + FIELDS.files) * FIELDS.fieldSize
/** The same as it comes, with the heads of its parts, and with what is still to be told apart from the file. */
const MOST_AROUND_AS_SENT = 512 * 1024

const MEBIBYTE = 1024 * 1024

/** The file is larger than this instance takes. */
export class FileTooLarge extends Error {
  constructor(limit: number) {
    super(`The file is larger than ${Math.floor(limit / MEBIBYTE)} MiB, the most that this instance takes.`)
    this.name = 'FileTooLarge'
  }
}

/** Lets the pages of one plugin take a form with a file; all others keep refusing it. */
export const acceptFiles = (app: FastifyInstance) => app.register(multipart)

/** The most that a file may have: as much as any body. */
export const fileLimitOf = ({ initialConfig }: FastifyInstance): number => initialConfig.bodyLimit ?? MEBIBYTE

const isTooLarge = (error: unknown) => (error as FastifyError).code === 'FST_REQ_FILE_TOO_LARGE'

interface Upload {
  request: FastifyRequest
  reply: FastifyReply
  /** Who sends it. */
  userId: string
  /** Is told what the file is called. */
  named?: (name: string) => void
}

/** Waits where other large bodies are on their way. */
async function wholeFile({ file }: MultipartFile, limit: number, { request, reply, userId }: Upload): Promise<Buffer> {
  let resume = () => undefined as void
  const memory = reserveBodyMemory(limit, userId, () => resume())
  request.bodyMemory = memory
  reply.raw.once('close', memory.end)
  const pieces: Buffer[] = []
  for await (const piece of file) {
    pieces.push(piece)
    if (!memory.grow(piece.length)) {
      await new Promise<void>((resolve) => {
        resume = resolve
      })
    }
  }
  memory.release()
  if (file.truncated) throw new FileTooLarge(limit)
  return Buffer.concat(pieces)
}

/**
 * The parser passes over parts that are neither a field nor a file, and over any number of them: who sends more beside the
 * file than a form may have is not listened to any longer.
 */
function refuseTooMuchAround({ raw }: FastifyRequest, limit: number, open: { file?: MultipartFile['file'] }): void {
  let bytesBefore = 0
  raw.on('data', function count({ length }: Buffer) {
    const around = bytesBefore - (open.file?.bytesRead ?? 0)
    bytesBefore += length
    if (around <= MOST_AROUND_AS_SENT) return
    raw.off('data', count)
    const tooMuch = new AppError('bad_request', 'The form has too much beside its file.')
    // Whoever reads the form hears of it as of a body that breaks off.
    raw.emit('error', open.file?.truncated ? new FileTooLarge(limit) : tooMuch)
  })
}

/**
 * The fields of a form and its one file, whole in memory and never more than the limit.
 * The fields before the file are judged before any of it is kept.
 */
export async function readUpload(upload: Upload, limit: number, judge: () => void): Promise<Buffer | undefined> {
  const { request } = upload
  if (!request.isMultipart()) {
    judge()
    return undefined
  }
  if (Number(request.headers['content-length']) > limit + MOST_AROUND) throw new FileTooLarge(limit)
  const form = new URLSearchParams()
  let file: Buffer | undefined
  let isJudged = false
  const open: { file?: MultipartFile['file'] } = {}
  refuseTooMuchAround(request, limit, open)
  const judgeOnce = () => {
    if (isJudged) return
    request.body = form
    judge()
    isJudged = true
  }
  try {
    for await (const part of request.parts({ limits: { ...FIELDS, fileSize: limit } })) {
      if (part.type === 'field') {
        form.append(part.fieldname, String(part.value))
        continue
      }
      // Whoever reads the file is told when it breaks off; when nobody does, it would end the server.
      part.file.on('error', () => undefined)
      open.file = part.file
      try {
        judgeOnce()
      } catch (error) {
        // Read on and thrown away: an answer in the middle of an upload would never be seen.
        part.file.resume()
        throw error
      }
      upload.named?.(part.filename)
      file = await wholeFile(part, limit, upload)
    }
  } catch (error) {
    // What still comes is thrown away unread: the parser would go on through any number of fields.
    request.raw.unpipe()
    request.raw.resume()
    if (isTooLarge(error)) throw new FileTooLarge(limit)
    if ((error as FastifyError).code?.startsWith('FST_') || isBroken(error)) {
      throw new AppError('bad_request', 'The file did not arrive whole. Send the form again.', { cause: error })
    }
    throw error
  }
  judgeOnce()
  return file
}

/** The parser of multipart bodies tells what is broken by its message only. */
const isBroken = (error: unknown) =>
  error instanceof Error && /multipart|terminated early|boundary/i.test(error.message)
