import type { StorybookConfig } from "@storybook/react-vite";

export default {
  framework: "@storybook/react-vite",
  stories: ["../stories/*.stories.tsx"],
  staticDirs: ["../public"],
} satisfies StorybookConfig;
