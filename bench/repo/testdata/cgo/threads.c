#include <pthread.h>
#include "_cgo_export.h"

static void *thread(void *arg) {
	for (int i = 0; i < 50; i++)
		callback((long)arg);
	return 0;
}

// callBack has so many threads of C call back, and calls back itself.
void callBack(int threads) {
	pthread_t ids[threads];
	for (long i = 0; i < threads; i++)
		pthread_create(&ids[i], 0, thread, (void *)i);
	thread((void *)(long)threads);
	for (int i = 0; i < threads; i++)
		pthread_join(ids[i], 0);
}
