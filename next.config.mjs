/** @type {import('next').NextConfig} */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  devIndicators: false,
  serverExternalPackages: ['better-sqlite3', '@vscode/ripgrep', 'quickjs-emscripten'],
};

export default config;
