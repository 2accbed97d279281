/* otf2_iterate.c - reads every event of an OTF2 archive and does nothing with it: prints
 * how many */
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>

struct locations {
	OTF2_LocationRef *at;
	size_t n;
};

static OTF2_CallbackCode on_location(void *context, OTF2_LocationRef self, OTF2_StringRef name,
				     OTF2_LocationType type, uint64_t nevents,
				     OTF2_LocationGroupRef group)
{
	struct locations *locations = context;

	(void)name;
	(void)type;
	(void)nevents;
	(void)group;
	locations->at = realloc(locations->at, (locations->n + 1) * sizeof(*locations->at));
	if (locations->at == NULL)
		exit(2);
	locations->at[locations->n++] = self;
	return OTF2_CALLBACK_SUCCESS;
}

static void check(int good)
{
	if (!good) {
		fprintf(stderr, "otf2_iterate: libotf2 fails\n");
		exit(2);
	}
}

static void read_definitions(OTF2_Reader *reader, struct locations *locations)
{
	OTF2_GlobalDefReader *defs = OTF2_Reader_GetGlobalDefReader(reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	uint64_t n;

	OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
	check(OTF2_Reader_RegisterGlobalDefCallbacks(reader, defs, callbacks, locations) ==
	      OTF2_SUCCESS);
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	check(OTF2_Reader_ReadAllGlobalDefinitions(reader, defs, &n) == OTF2_SUCCESS);
	OTF2_Reader_CloseGlobalDefReader(reader, defs);
}

int main(int argc, char **argv)
{
	OTF2_Reader *reader = argc == 2 ? OTF2_Reader_Open(argv[1]) : NULL;
	struct locations locations = {NULL, 0};
	uint64_t n, total = 0;

	check(reader != NULL && OTF2_Reader_SetSerialCollectiveCallbacks(reader) == OTF2_SUCCESS);
	read_definitions(reader, &locations);
	for (size_t i = 0; i < locations.n; i++)
		check(OTF2_Reader_SelectLocation(reader, locations.at[i]) == OTF2_SUCCESS);
	check(OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS &&
	      OTF2_Reader_OpenEvtFiles(reader) == OTF2_SUCCESS);
	for (size_t i = 0; i < locations.n; i++) {
		OTF2_DefReader *defs = OTF2_Reader_GetDefReader(reader, locations.at[i]);
		OTF2_EvtReader *events;

		if (defs != NULL) {
			OTF2_Reader_ReadAllLocalDefinitions(reader, defs, &n);
			OTF2_Reader_CloseDefReader(reader, defs);
		}
		events = OTF2_Reader_GetEvtReader(reader, locations.at[i]);
		check(events != NULL &&
		      OTF2_Reader_ReadAllLocalEvents(reader, events, &n) == OTF2_SUCCESS);
		OTF2_Reader_CloseEvtReader(reader, events);
		total += n;
	}
	OTF2_Reader_CloseEvtFiles(reader);
	OTF2_Reader_CloseDefFiles(reader);
	OTF2_Reader_Close(reader);
	free(locations.at);
	printf("%llu\n", (unsigned long long)total);
	return 0;
}
