import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { skeleton } from "./skeleton.ts";

const page = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/**
 * Two pages, the partners' dashboard and the operators' console, are built into files with their content's hash in their
 * names. The Worker serves these below /dashboard.
 */
export default defineConfig({
  base: "/dashboard/",
  plugins: [react(), skeleton],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
    rolldownOptions: { input: [page("index.html"), page("console.html")] },
  },
});
