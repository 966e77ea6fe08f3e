import { defineConfig } from 'vite';
import relay from 'vite-plugin-relay';

// Compiles the graphql tags of relay/ to imports of what relay-compiler wrote.
export default defineConfig({ plugins: [relay] });
