import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The pages are built into files with their content's hash in their names, which the Worker serves below /dashboard. */
export default defineConfig({
  base: "/dashboard/",
  plugins: [react()],
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1_000,
  },
});
