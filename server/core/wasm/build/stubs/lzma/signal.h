/* Included by a header of liblzma for functions that are not called here. */
#ifndef STUB_SIGNAL_H
#define STUB_SIGNAL_H
typedef int sigset_t;
#define sigprocmask(how, set, before) (0)
#endif
