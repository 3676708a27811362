declare module 'gltf-validator' {
  export interface Issue {
    code: string
    message: string
    /** 0 error, 1 warning, 2 information, 3 hint */
    severity: 0 | 1 | 2 | 3
    pointer?: string
  }
  export interface Report {
    issues: { numErrors: number; numWarnings: number; messages: Issue[] }
  }
  export interface Options {
    uri?: string
    maxIssues?: number
    externalResourceFunction?(uri: string): Promise<Uint8Array>
  }
  export function validateBytes(data: Uint8Array, options?: Options): Promise<Report>
}
