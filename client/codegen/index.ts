/**
 * Code generation: types of a gateway's stores (`readCatalog` and `writeStores`, as used by `zarrql-client codegen`), and a
 * plugin for GraphQL Code Generator that writes typed functions for your documents. Use this module as the plugin.
 */
export { plugin, sdkDocuments } from './sdk-plugin.js';
export type { SdkPluginConfig, SdkPluginDocument } from './sdk-plugin.js';
export { readCatalog } from './read-catalog.js';
export type { Catalog, CatalogArray, CatalogDataset, CatalogOptions, CatalogStore } from './read-catalog.js';
export { writeStores } from './stores-plugin.js';
export type { WriteStoresOptions } from './stores-plugin.js';
