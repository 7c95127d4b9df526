/** For servers in front of a gateway: its answers as they are sent, a body that is there whole as its buffers. */
export { type Answer, answerOfResponse } from '../transport/response-body.js';
