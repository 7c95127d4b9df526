/* Named by a header of liblzma for functions that nothing here calls. */
#ifndef STUB_SIGNAL_H
#define STUB_SIGNAL_H
typedef int sigset_t;
#define sigprocmask(how, set, before) (0)
#endif
