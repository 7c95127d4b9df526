#ifndef EXPORT_H
#define EXPORT_H
#include <stddef.h>
#include <stdint.h>
#define EXPORT(name) __attribute__((export_name(#name), used))
#endif
