/**
 * Works out what was typed into a number field: a number, or sums and products of numbers with parentheses, as `1.158/2`.
 * A comma counts as a decimal point where it cannot be a separator of thousands.
 *
 * @returns undefined for anything else
 */
export function workOut(text: string): number | undefined {
  const tokens = tokenise(text)
  if (!tokens || tokens.length === 0) return undefined
  let at = 0

  function sum(): number {
    let value = product()
    while (tokens![at] === '+' || tokens![at] === '-') value = tokens![at++] === '+' ? value + product() : value - product()
    return value
  }
  function product(): number {
    let value = factor()
    while (tokens![at] === '*' || tokens![at] === '/') value = tokens![at++] === '*' ? value * factor() : value / factor()
    return value
  }
  function factor(): number {
    const token = tokens![at++]
    if (token === '-') return -factor()
    if (token === '+') return factor()
    if (token === '(') {
      const value = sum()
      return tokens![at++] === ')' ? value : NaN
    }
    return typeof token === 'number' ? token : NaN
  }

  const value = sum()
  return at === tokens.length && Number.isFinite(value) ? value : undefined
}

type Token = number | '+' | '-' | '*' | '/' | '(' | ')'

function tokenise(text: string): Token[] | null {
  const plain = text
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/,(?=\d{3}(?!\d))/g, '')
    .replace(/,/g, '.')
    .replace(/×/g, '*')
    .replace(/÷/g, '/')
  const tokens: Token[] = []
  const next = /(\d+\.?\d*(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|([-+*/()])/giy
  while (next.lastIndex < plain.length) {
    const match = next.exec(plain)
    if (!match) return null
    tokens.push(match[1] === undefined ? (match[2] as Token) : Number(match[1]))
  }
  return tokens
}
