import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  resolve: { alias: { '@': fileURLToPath(new URL('.', import.meta.url)) } },
  ssr: { resolve: { conditions: ['react-server'] } },
  test: {
    include: ['**/*.test.ts', '**/*.test.tsx'],
    exclude: ['node_modules/**', '.data*/**', '.next/**', 'e2e/**', 'bench/**'],
    environment: 'node',
    setupFiles: ['scripts/lib/property-seed.ts'],
    testTimeout: 20_000,
  },
});
