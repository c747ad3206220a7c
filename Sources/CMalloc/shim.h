#ifndef WAGGLE_CMALLOC_SHIM_H
#define WAGGLE_CMALLOC_SHIM_H

#include <malloc.h>

#endif
