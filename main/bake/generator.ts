import packageJson from '../../package.json' with { type: 'json' }

/** Name and version of this program, as it signs what it writes. */
export const GENERATOR = `VAT Studio ${packageJson.version}`
