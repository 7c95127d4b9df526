export { ConfigError } from './config/errors.js';
export { type OptionDescription, defaultText, optionDescriptions } from './config/describe.js';
export { type ConfigSources, loadConfig, parseConfig, suspiciousVariables } from './config/load.js';
export type { Config, LimitsConfig, StoreConfig } from './config/schema.js';
