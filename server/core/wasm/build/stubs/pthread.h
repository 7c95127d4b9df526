/* c-blosc always runs with one thread, so these functions do nothing, and no thread is created. */
#ifndef STUB_PTHREAD_H
#define STUB_PTHREAD_H
#include <sys/types.h>
#define PTHREAD_CREATE_JOINABLE 0
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#define PTHREAD_MUTEX_INITIALIZER {0}
#define pthread_mutex_init(mutex, attributes) ((void)0)
#define pthread_mutex_lock(mutex) ((void)0)
#define pthread_mutex_unlock(mutex) ((void)0)
#define pthread_mutex_destroy(mutex) ((void)0)
#define pthread_cond_init(condition, attributes) ((void)0)
#define pthread_cond_wait(condition, mutex) ((void)0)
#define pthread_cond_broadcast(condition) ((void)0)
#define pthread_cond_destroy(condition) ((void)0)
#define pthread_barrier_init(barrier, attributes, count) ((void)0)
#define pthread_barrier_wait(barrier) (0)
#define pthread_barrier_destroy(barrier) ((void)0)
#define pthread_attr_init(attributes) ((void)0)
#define pthread_attr_setdetachstate(attributes, state) ((void)0)
#define pthread_attr_destroy(attributes) ((void)0)
#define pthread_create(thread, attributes, start, argument) (-1)
#define pthread_join(thread, status) (-1)
#define pthread_atfork(prepare, parent, child) (0)
#endif
