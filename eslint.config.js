import js from '@eslint/js'
import stylistic from '@stylistic/eslint-plugin'
import { defineConfig, globalIgnores } from 'eslint/config'
import vue from 'eslint-plugin-vue'
import tseslint from 'typescript-eslint'
import vueParser from 'vue-eslint-parser'

const PURE_ROOMS = ['main/model/**', 'main/codecs/**', 'main/targets/**', 'main/bake/{options,combination,plan,sidecar}.ts', 'main/*/{contract,*-contract}.ts']
const PLATFORM_FILES = ['main/codecs/**/*-node.ts', 'main/codecs/**/*-sharp.ts']

/** A relative path that ends without one of these endings would be left to a bundler to guess. */
const NO_EXTENSION = String.raw`/^\.{1,2}\u002f(?!.*\.(ts|mjs|cjs|js|json|vue|css|svg|png)(\?.*)?$)/`
const extensionRule = ['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression'].map((kind) => ({
  selector: `${kind}[source.value=${NO_EXTENSION}]`,
  message: 'Write the extension of the imported file (./name.ts).',
}))

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', 'release/', 'out/', 'build/kernel/skin.ts']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  {
    plugins: { '@stylistic': stylistic },
    rules: {
      'no-restricted-syntax': ['error', ...extensionRule],
      '@stylistic/semi': ['error', 'never'],
      '@stylistic/quotes': ['error', 'single', { avoidEscape: true, allowTemplateLiterals: 'avoidEscape' }],
      '@stylistic/indent': ['error', 2, { SwitchCase: 1, flatTernaryExpressions: true, ignoredNodes: ['TSTypeParameterInstantiation', 'TSUnionType'] }],
      '@stylistic/no-trailing-spaces': 'error',
      '@stylistic/no-tabs': 'error',
      '@stylistic/eol-last': 'error',
      '@stylistic/max-len': ['error', { code: 140, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true, ignoreUrls: true }],
    },
  },
  { files: ['**/*.vue'], extends: [vue.configs['flat/recommended']] },
  {
    // For a browser; templates are put together to modules when they are filled in.
    files: ['native-templates/web/*.js', 'tests/viewport/players/*.js'],
    rules: { 'no-undef': 'off', 'no-unused-vars': 'off' },
  },
  {
    files: ['**/*.ts', '**/*.vue'],
    extends: [tseslint.configs.recommended],
    languageOptions: { parserOptions: { projectService: true, extraFileExtensions: ['.vue'] } },
    rules: {
      // Of the rules that need types only those that find defects.
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/only-throw-error': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { varsIgnorePattern: '^_', argsIgnorePattern: '^_' }],
      // A counted loop that reads one array and writes another says its index once; for-of would hide it.
      '@typescript-eslint/prefer-for-of': 'off',
    },
  },
  {
    files: ['**/*.vue'],
    languageOptions: { parser: vueParser, parserOptions: { parser: tseslint.parser } },
    rules: {
      // What names there are is known to the type checker.
      'no-undef': 'off',
      // Attributes and short texts stay in their line until it is full.
      'vue/max-attributes-per-line': 'off',
      'vue/singleline-html-element-content-newline': 'off',
      'vue/html-self-closing': ['error', { html: { void: 'always' } }],
      // Our tags begin with a capital letter, so none can be taken for one of HTML.
      'vue/multi-word-component-names': 'off',
      'vue/component-name-in-template-casing': ['error', 'PascalCase'],
      'vue/block-lang': ['error', { script: { lang: 'ts' } }],
      'vue/block-order': ['error', { order: ['script', 'template', 'style'] }],
      'vue/define-props-declaration': 'error',
      'vue/define-emits-declaration': 'error',
      'vue/no-unused-refs': 'error',
      'vue/no-useless-v-bind': 'error',
      'vue/no-useless-mustaches': 'error',
      'vue/prefer-true-attribute-shorthand': 'error',
      'vue/v-bind-style': ['error', 'shorthand', { sameNameShorthand: 'always' }],
    },
  },
  {
    files: ['**/*.{js,mjs,cjs}'],
    languageOptions: { globals: { console: 'readonly', process: 'readonly', URL: 'readonly' } },
  },
  {
    files: ['**/*.cjs'],
    languageOptions: { sourceType: 'commonjs', globals: { module: 'writable', require: 'readonly' } },
  },
  {
    // Imports are checked by dependency-cruiser; these are the ways to Node that need none.
    files: PURE_ROOMS,
    ignores: PLATFORM_FILES,
    rules: {
      'no-restricted-globals': [
        'error',
        ...['Buffer', 'process', 'global', 'require', 'setImmediate', 'window', 'document'].map((name) => ({
          name,
          message: 'Pure rooms run in Node and in the renderer alike.',
        })),
      ],
    },
  },
)
