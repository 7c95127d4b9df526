/** Standard rights, for servers in front of a gateway. */
export { fullAccess, noAccess } from '../resolvers/access/caller-rights.js';
