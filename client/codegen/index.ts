/** What GraphQL Code Generator needs to write a typed SDK over a gateway's schema: name this module as a plugin. */
export { plugin } from './sdk-plugin.js';
export type { SdkPluginConfig, SdkPluginDocument } from './sdk-plugin.js';
