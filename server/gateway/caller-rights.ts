/** Standard permissions, for programs that embed a gateway. */
export { fullAccess, noAccess } from '../resolvers/access/caller-rights.js';
