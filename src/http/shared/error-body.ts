import type { ErrorCode, ErrorDetail } from '../../lib/errors.ts'

/** The error object of contract 1.3, which v1 and the refusals of MCP share. */
export const errorBody = (code: ErrorCode, message: string, details?: ErrorDetail[]) => ({
  error: { code, message, ...(details && { details }) },
})
