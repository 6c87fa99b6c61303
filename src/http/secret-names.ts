// What a client calls the headers and query parameters in which it sends what opens something. `topicKey` is none of them.

export const SECRET_HEADER = /authorization|api[-_]?key|-auth(-key)?$|token|secret|password|session/i;
export const SECRET_PARAMETER =
  /^key$|[-_.]key$|(api[-_]?|access|auth|private)key|auth$|authorization|token|secret|password|session|signature/i;
