/** For servers in front of a gateway: the buffers of a response that is there whole, to be sent without copying them. */
export { wholeBody } from '../transport/response-body.js';
