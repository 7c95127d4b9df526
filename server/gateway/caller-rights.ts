/** For servers in front of a gateway: the rights that have names. */
export { fullAccess, noAccess } from '../resolvers/caller-rights.js';
