#ifndef WAGGLE_CLIBPQ_SHIM_H
#define WAGGLE_CLIBPQ_SHIM_H

#include <libpq-fe.h>

#endif
