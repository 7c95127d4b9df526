export { JWT_NAME_PREFIX } from './config/auth-schema.js';
export {
  sizeText,
  type OptionDescription,
  defaultText,
  optionDescriptions,
  storeOptionDescriptions,
  type StoreOptionDescription,
} from './config/describe.js';
export {
  type ConfigSources,
  type LoadedConfig,
  loadConfig,
  loadConfigWithOrigins,
  parseConfig,
  suspiciousVariables,
} from './config/load.js';
export { readSecret, type SecretSource } from './config/secrets.js';
export { ConfigError } from './config/values.js';
export { confidential, type HeaderValue, isDiscovered } from './config/store-schema.js';
export type { Config, StoreConfig } from './config/schema.js';
