/**
 * A name or an address from a file, made fit to stand in a sentence: on one line, without characters that steer a terminal
 * or turn the direction of writing, and no longer than a person reads.
 */
export function shortened(text: string, length = 60): string {
  // No more is looked at than can be needed: some files hold names of many megabytes.
  // eslint-disable-next-line no-control-regex -- control characters are what is to be found
  const characters = [...text.slice(0, length * 2 + 2).replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, '\ufffd')]
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : characters.join('')
}
