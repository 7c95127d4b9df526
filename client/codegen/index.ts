/**
 * Code generation: types of a gateway's stores (`readCatalog` and `writeStores`, as used by `zarrql codegen`), and a plugin for GraphQL Code Generator that writes typed functions for your documents. Use this module as the plugin.
 */
export { plugin } from './sdk-plugin.js';
export type { SdkPluginConfig, SdkPluginDocument } from './sdk-plugin.js';
export { readCatalog } from './read-catalog.js';
export type { Catalog, CatalogArray, CatalogDataset, CatalogOptions, CatalogStore } from './read-catalog.js';
export { writeStores } from './write-stores.js';
export type { WriteStoresOptions } from './write-stores.js';
export { sdkDocuments } from './sdk-documents.js';
