import { transformSync } from 'esbuild'
import { parseAst } from 'vitest/node'

interface Node {
  type: string
  [key: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value ?? '') : '')

/** Attributes and members whose values a visitor reads or hears. */
const LABELS = new Set(
  'alt aria-description aria-label ariaLabel caption description detail heading hint label placeholder submit summary text textContent title'.split(
    ' ',
  ),
)

/** Attributes that are never shown. */
const CODE = new Set('class className d points viewBox style rel sizes transform content media'.split(' '))

const hasLetters = (text: string) => /\p{L}{2}/u.test(text)
const isSentence = (text: string) => /\p{L}{2,}[,:]? \p{L}{2,}/u.test(text)

function literalOf(node: Node): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type !== 'TemplateLiteral') return undefined
  const quasis = node.quasis as { value: { cooked: string } }[]
  return quasis.map(({ value }) => value.cooked).join('…')
}

/** The texts in the source of a page or script that a visitor would see, unless they come from a catalogue. */
export function textsInSource(source: string, loader: 'js' | 'ts' | 'tsx'): string[] {
  const { code } = transformSync(source, { loader, jsx: 'preserve', format: 'esm', target: 'esnext' })
  const texts: string[] = []

  function add(node: Node, isText: (text: string) => boolean): void {
    const text = literalOf(node)?.trim()
    if (text !== undefined && isText(text)) texts.push(text)
  }

  function visit(node: Node): void {
    if (/^(Import|ExportAll)/.test(node.type)) return
    // Messages of bugs are for the log.
    if (node.type === 'ThrowStatement') return
    if (node.type === 'JSXText') {
      const text = String(node.value).trim()
      if (hasLetters(text)) texts.push(text)
      return
    }
    if (node.type === 'JSXAttribute') {
      const name = nameOf(node.name)
      if (CODE.has(name)) return
      if (isNode(node.value) && LABELS.has(name)) add(node.value, hasLetters)
    }
    if (node.type === 'Property' && isNode(node.value) && LABELS.has(nameOf(node.key))) add(node.value, hasLetters)
    if (node.type === 'AssignmentExpression' && isNode(node.left) && node.left.type === 'MemberExpression') {
      if (LABELS.has(nameOf(node.left.property)) && isNode(node.right)) add(node.right, hasLetters)
    }
    add(node, isSentence)
    for (const child of childrenOf(node)) visit(child)
  }

  visit(parseAst(code, { jsx: true }) as unknown as Node)
  return [...new Set(texts)]
}
