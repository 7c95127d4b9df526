export { JWT_NAME_PREFIX } from './config/auth-schema.js';
export { ConfigError } from './config/errors.js';
export { type OptionDescription, defaultText, optionDescriptions } from './config/describe.js';
export { type ConfigSources, loadConfig, parseConfig, suspiciousVariables } from './config/load.js';
export { readSecret, type SecretSource } from './config/secret.js';
export { storeOptionDescriptions, type StoreOptionDescription } from './config/describe-stores.js';
export type { HeaderValue } from './config/store-schema.js';
export type { Config, LimitsConfig, StoreConfig } from './config/schema.js';
