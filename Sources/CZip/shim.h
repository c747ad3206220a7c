#ifndef WAGGLE_CZIP_SHIM_H
#define WAGGLE_CZIP_SHIM_H

#include <zip.h>

#endif
