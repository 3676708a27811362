import { fileURLToPath } from 'node:url'
import type { Readable, Writable } from 'node:stream'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  type CallToolResult,
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  RootsListChangedNotificationSchema,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import packageJson from '../../package.json' with { type: 'json' }
import type { Progress } from '../bake/contract.ts'
import { type Described, demand } from '../bake/demand.ts'
import type { JobRequest, JobResults } from '../jobs/contract.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { Problem } from '../model/problem.ts'
import { createGate } from '../project/gate.ts'
import { defaultConcurrency } from '../project/memory.ts'
import { bakeVat } from './bake-vat.ts'
import { listDocuments, readDocument } from './documents.ts'
import { inspectModel } from './inspect-model.ts'
import { listTargets } from './list-targets.ts'
import { previewLinks, previewTemplate, readPreview } from './previews.ts'
import { createRoots } from './roots.ts'
import type { Tool, ToolContext } from './tool.ts'
import { verifyVat } from './verify-vat.ts'
import { inArguments, inputSchemaOf, outputSchemaOf } from './wording.ts'

export const tools: Tool[] = [bakeVat, inspectModel, verifyVat, listTargets]

const INSTRUCTIONS =
  'VAT Studio bakes animated models into Vertex Animation Textures. inspect_model lists the clips of a model, bake_vat bakes one and reports its error, ' +
  'verify_vat checks an earlier bake. The resource vat-studio://docs/vat-format.md specifies the files.'

/** A client that has roots but does not say which within this time has none. */
const ROOTS_PATIENCE = 5_000

export interface McpOptions {
  input: NodeJS.ReadableStream
  output: NodeJS.WritableStream
  /** Folders that are open to the server whatever the client says, as absolute paths. */
  folders: string[]
  /** Ends the server. */
  interrupt: AbortSignal
  /** Starts a queue with a process of its own. */
  startJobs(): Jobs
}

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>

/** Serves the Model Context Protocol until the input ends; then nothing runs any more. */
export async function serveMcp({ input, output, folders, interrupt, startJobs }: McpOptions): Promise<void> {
  // Standard output belongs to the protocol, whatever a package may have to say.
  console.log = console.info = console.debug = console.error
  const { server } = new McpServer(
    { name: 'vat-studio', title: 'VAT Studio', version: packageJson.version },
    { capabilities: { tools: {}, resources: {} }, instructions: INSTRUCTIONS },
  )

  let clientFolders: Promise<string[]> | null = null
  server.setNotificationHandler(RootsListChangedNotificationSchema, () => void (clientFolders = null))
  const roots = createRoots(async () => [...folders, ...(await (clientFolders ??= askForFolders(server)))])

  const gate = createGate(defaultConcurrency())
  const open = new Set<Promise<unknown>>()
  const contextOf = ({ signal, sendNotification, _meta }: Extra): ToolContext => {
    const tell = progressTeller(_meta?.progressToken, sendNotification)
    return {
      roots,
      run(request) {
        const running = gate.enter(1).then((leave) => runJob(request, signal, tell, startJobs).finally(leave))
        open.add(running)
        running.finally(() => open.delete(running)).catch(() => {})
        return running
      },
    }
  }

  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools.map(describeTool) }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, extra) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new McpError(ErrorCode.InvalidParams, `There is no tool ${params.name}.`)
    return callTool(tool, params.arguments ?? {}, contextOf(extra))
  })
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources: listDocuments() }))
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [previewTemplate] }))
  server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }, extra) => {
    const found = await readResource(uri, contextOf(extra)).catch((error: Error) => {
      throw new McpError(ErrorCode.InvalidParams, inArguments(error.message))
    })
    return { contents: [found] }
  })
  server.onerror = (error) => console.error(`error: ${error.message}`)

  const closed = new Promise<void>((resolve) => (server.onclose = resolve))
  const close = () => void server.close()
  await server.connect(new StdioServerTransport(input as Readable, output as Writable))
  // The client is gone; closing calls off what it has asked for.
  input.once('end', close)
  input.once('close', close)
  output.once('error', close)
  interrupt.addEventListener('abort', close)
  if (interrupt.aborted) close()
  await closed
  await Promise.allSettled(open)
}

/** The roots of the client, asked for when they are first needed and whenever it says that they have changed. */
async function askForFolders(server: McpServer['server']): Promise<string[]> {
  if (!server.getClientCapabilities()?.roots) return []
  const answer = await server.listRoots(undefined, { timeout: ROOTS_PATIENCE }).catch(() => ({ roots: [] }))
  return answer.roots.filter(({ uri }) => uri.startsWith('file:')).map(({ uri }) => fileURLToPath(uri))
}

async function readResource(uri: string, context: ToolContext) {
  const found = (await readDocument(uri)) ?? (await readPreview(uri, context))
  if (!found) throw new Problem('usage', `There is no resource ${uri}. Ask for the list of resources.`)
  return found
}

function describeTool({ name, title, description, input, output, isReadOnly }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: inputSchemaOf(input),
    outputSchema: outputSchemaOf(output),
    annotations: { readOnlyHint: isReadOnly, destructiveHint: !isReadOnly, idempotentHint: true, openWorldHint: false },
  }
}

/** What goes wrong is a result, too: it is for the assistant to read, and to act on. */
async function callTool(tool: Tool, given: Record<string, unknown>, context: ToolContext): Promise<CallToolResult> {
  try {
    const values = tool.input.safeParse(given)
    if (!values.success) throw new Problem('usage', refusal(tool, values.error))
    const { text, result, isFailure, pictures } = await tool.call(values.data, Object.keys(given), context)
    return {
      content: [
        { type: 'text', text: inArguments(text) },
        // For clients that know nothing of structured content.
        { type: 'text', text: JSON.stringify(result) },
        ...(pictures ? previewLinks(pictures) : []),
      ],
      structuredContent: result,
      isError: isFailure ?? false,
    }
  } catch (error) {
    return { content: [{ type: 'text', text: inArguments((error as Error).message) }], isError: true }
  }
}

/** One sentence of what is wrong with the arguments, whatever else may be. */
function refusal(tool: Tool, { issues: [issue] }: z.ZodError): string {
  if (issue.code === 'unrecognized_keys') {
    return `${tool.name} has no argument ${issue.keys.join(', ')}. It has ${Object.keys(tool.input.shape).join(', ')}.`
  }
  const [name, ...inside] = issue.path
  const { properties = {} } = inputSchemaOf(tool.input)
  const value = properties[String(name)] as Described
  return `The argument ${issue.path.join('.')} of ${tool.name} ${demand((inside.length > 0 && value.items) || value, issue)}.`
}

/** Runs a job in a process of its own, which is gone when this is over, however it ends. */
async function runJob<Kind extends JobRequest['kind']>(
  request: Extract<JobRequest, { kind: Kind }>,
  signal: AbortSignal,
  tell: (progress: Progress) => void,
  startJobs: () => Jobs,
): Promise<JobResults[Kind]> {
  const jobs = startJobs()
  try {
    const job = jobs.submit<Kind>(request)
    job.onEvent((event) => {
      if (event.type === 'progress') tell(event.progress)
    })
    signal.addEventListener('abort', job.cancel)
    if (signal.aborted) job.cancel()
    return await job.result
  } finally {
    await jobs.close()
  }
}

/** The protocol wants a number that grows with every notification, also where only the stage is another one. */
function progressTeller(progressToken: string | number | undefined, send: Extra['sendNotification']) {
  let last = 0
  return ({ stage, done, total }: Progress) => {
    if (progressToken === undefined) return
    last = Math.max(total > 0 ? done / total : 0, last + 1e-6)
    void send({ method: 'notifications/progress', params: { progressToken, progress: last, total: 1, message: stage } }).catch(() => {})
  }
}
