/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  // `npm test` checks the types of everything; a first start need not wait for it a second time.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['better-sqlite3', '@vscode/ripgrep', 'quickjs-emscripten'],
};

export default config;
