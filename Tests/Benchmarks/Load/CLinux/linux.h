// What Swift's own module of the C library leaves out.
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>

void *memmem(const void *text, size_t length, const void *part, size_t part_length);
