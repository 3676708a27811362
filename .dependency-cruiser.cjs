/**
 * Who may import whom. Rooms are the folders of main/, and preload/ and renderer/ beside it; a room may always import itself.
 *
 *   app, cli, mcp -> project -> jobs -> worker -> bake -> readers, meshes, targets, codecs -> model
 *   renderer, preload -> the pure files
 *
 * `npm run lint:rooms` checks it, tests/rooms.test.ts proves that every rule bites.
 */

/** Files that are pure: they run in Node and in the renderer alike, so they know no platform. A contract always is. */
const CONTRACTS = ['^main/[^/]+/contract[.]ts$', '^main/[^/]+/[^/]+-contract[.]ts$']
const PURE = ['^main/(model|codecs|targets)/', '^main/bake/(options|combination|demand|plan|sidecar)[.]ts$', ...CONTRACTS]
/** The files of pure rooms that are for Node alone. */
const PLATFORM_FILES = '-(node|sharp)[.]ts$'

/** What the app and the renderer agree on, as types and plain data. */
const WINDOW_CONTRACTS = '^preload/(api|commands)[.]ts$'

/** A package, whether it is installed or not. */
const packages = (...names) => `(^|node_modules/)(${names.join('|')})(/|$)`

/** What each room may import beside itself; npm packages and Node are restricted by the rules below. */
const ROOMS = {
  model: [],
  codecs: ['^main/model/'],
  targets: ['^main/model/'],
  readers: ['^main/model/'],
  meshes: ['^main/model/'],
  bake: ['^main/(readers|meshes|targets|codecs|model)/'],
  // Bakes again and again through jobs; of what is below it knows what names things, not what makes them.
  project: ['^main/jobs/', '^main/bake/(contract|options|sidecar|hash|generator|file-name)[.]ts$', '^main/readers/obj-sequence/files[.]ts$', '^main/model/'],
  worker: ['^main/(bake|readers|meshes|targets|codecs|model)/', '^main/jobs/contract[.]ts$'],
  jobs: ['^main/(worker|bake|model)/'],
  mcp: ['^main/(jobs|worker|project)/', ...PURE],
  cli: ['^main/(jobs|worker|project|mcp)/', ...PURE],
  app: ['^main/(jobs|worker|project)/', ...PURE, WINDOW_CONTRACTS],
}

const roomRules = Object.entries(ROOMS).map(([room, below]) => ({
  name: `${room}-imports-only-what-is-below`,
  comment: `main/${room} may import ${below.length > 0 ? below.join(', ') : 'no other room'}.`,
  severity: 'error',
  from: { path: `^main/${room}/` },
  to: { path: '^(main|preload|renderer)/', pathNot: [`^main/${room}/`, ...below] },
}))

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one file, or there is a third one missing below them.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-unresolvable',
      comment: 'The file is not there, or the package is not in package.json.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'no-undeclared-packages',
      comment: 'What is imported must be in package.json: what happens to be installed may be gone tomorrow.',
      severity: 'error',
      from: { path: '^(main|preload|renderer)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'product-imports-no-tests',
      comment: 'Tests and build scripts are not shipped.',
      severity: 'error',
      from: { path: '^(main|preload|renderer)/' },
      to: { path: '^(tests|build)/' },
    },
    {
      name: 'no-room-without-a-rule',
      comment: 'A new folder of main/ needs its line in ROOMS.',
      severity: 'error',
      from: { path: '^main/[^/]+/', pathNot: `^main/(${Object.keys(ROOMS).join('|')})/` },
      to: {},
    },
    ...roomRules,
    {
      name: 'model-imports-nothing',
      comment: 'The model is plain arithmetic on typed arrays: no package, no Node, no other room.',
      severity: 'error',
      from: { path: '^main/model/' },
      to: { pathNot: '^main/model/' },
    },
    {
      name: 'pure-files-know-no-node',
      comment: 'Pure files also run in the renderer.',
      severity: 'error',
      from: { path: PURE, pathNot: PLATFORM_FILES },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'pure-files-know-no-platform',
      comment: 'Pure files also run in the renderer, and carry no engine or codec with them.',
      severity: 'error',
      from: { path: PURE, pathNot: PLATFORM_FILES },
      to: { path: packages('sharp', 'babylonjs[^/]*', '@babylonjs', 'electron', '@gltf-transform') },
    },
    {
      name: 'pure-files-import-pure-files',
      comment: 'What a pure file imports is loaded with it.',
      severity: 'error',
      from: { path: PURE, pathNot: PLATFORM_FILES },
      to: { path: ['^(main|preload|renderer)/'], pathNot: PURE },
    },
    {
      name: 'pure-files-import-no-platform-file',
      comment: 'Files named *-node.ts and *-sharp.ts are for Node alone.',
      severity: 'error',
      from: { path: [...PURE, '^(preload|renderer)/'], pathNot: PLATFORM_FILES },
      to: { path: PLATFORM_FILES },
    },
    {
      name: 'only-app-imports-electron',
      comment: 'Everything below the app also runs on the command line; the renderer talks to Electron through the preload.',
      severity: 'error',
      from: { path: '^(main|renderer)/', pathNot: ['^main/app/', '^main/index[.]ts$'] },
      to: { path: packages('electron') },
    },
    {
      name: 'only-png-sharp-imports-sharp',
      comment: 'One place knows how sharp has to be called to keep 16 bits.',
      severity: 'error',
      from: { pathNot: ['^main/codecs/png-sharp[.]ts$', '^tests/'] },
      to: { path: packages('sharp') },
    },
    {
      name: 'nobody-imports-the-entry',
      comment: 'main/index.ts and main/app stand above everything.',
      severity: 'error',
      from: { path: '^(main|preload|renderer)/', pathNot: ['^main/app/', '^main/index[.]ts$'] },
      to: { path: ['^main/index[.]ts$', '^main/app/'] },
    },
    {
      name: 'preload-imports-contracts-only',
      comment: 'The preload runs in a sandbox: it carries types and names of channels.',
      severity: 'error',
      from: { path: '^preload/' },
      to: { path: '^(main|renderer)/', pathNot: PURE },
    },
    {
      name: 'renderer-imports-pure-files-only',
      comment: 'The renderer sees the pure files, and of the preload only the contract.',
      severity: 'error',
      from: { path: '^renderer/' },
      to: { path: '^(main|preload)/', pathNot: [...PURE, WINDOW_CONTRACTS] },
    },
    {
      name: 'window-side-knows-no-node',
      comment: 'The preload is sandboxed and the renderer is a page.',
      severity: 'error',
      from: { path: '^(preload|renderer)/' },
      to: { dependencyTypes: ['core'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|coverage|release|out|resources|native-templates)/' },
    // `import type` counts as well: a type is a dependency of whoever has to understand the file.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default', 'types'],
      extensions: ['.ts', '.js', '.mjs', '.cjs', '.json', '.vue', '.d.ts'],
    },
  },
}
