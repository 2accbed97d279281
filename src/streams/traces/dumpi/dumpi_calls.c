/* dumpi_calls.c - which calls DUMPI records, with which arguments */
#include <stdlib.h>
#include <string.h>

#include "traces/dumpi/dumpi_priv.h"

/*
 * Functions in the order of their numbers, with the arguments in the order of the record. An
 * argument is a 32-bit integer unless something follows its name: ":h" 16 bits, ":b" 8, ":l" 64,
 * ":s" a text, ":t" statuses; "[]" an array, "[][]" an array of arrays; "[N]" an array since
 * version 0.6.N (before, the record held one element; of argv: the count twice). "?" in front: only
 * where the rank is the root. NULL: never recorded.
 */
static const struct {
	const char *name, *args;
} functions[] = {
	{"MPI_Send", "count datatype:h dest tag comm:h"},
	{"MPI_Recv", "count datatype:h source tag comm:h status:t"},
	{"MPI_Get_count", "status:t datatype:h count"},
	{"MPI_Bsend", "count datatype:h dest tag comm:h"},
	{"MPI_Ssend", "count datatype:h dest tag comm:h"},
	{"MPI_Rsend", "count datatype:h dest tag comm:h"},
	{"MPI_Buffer_attach", "size"},
	{"MPI_Buffer_detach", "size"},
	{"MPI_Isend", "count datatype:h dest tag comm:h request"},
	{"MPI_Ibsend", "count datatype:h dest tag comm:h request"},
	{"MPI_Issend", "count datatype:h dest tag comm:h request"},
	{"MPI_Irsend", "count datatype:h dest tag comm:h request"},
	{"MPI_Irecv", "count datatype:h source tag comm:h request"},
	{"MPI_Wait", "request status:t"},
	{"MPI_Test", "request flag status:t"},
	{"MPI_Request_free", "request"},
	{"MPI_Waitany", "count requests[] index status:t"},
	{"MPI_Testany", "count requests[] index flag status:t"},
	{"MPI_Waitall", "count requests[] statuses:t"},
	{"MPI_Testall", "count requests[] flag statuses:t"},
	{"MPI_Waitsome", "count requests[] outcount indices[] statuses:t"},
	{"MPI_Testsome", "count requests[] outcount indices[] statuses:t"},
	{"MPI_Iprobe", "source tag comm:h flag status:t"},
	{"MPI_Probe", "source tag comm:h status:t"},
	{"MPI_Cancel", "request"},
	{"MPI_Test_cancelled", "status:t cancelled"},
	{"MPI_Send_init", "count datatype:h dest tag comm:h request"},
	{"MPI_Bsend_init", "count datatype:h dest tag comm:h request"},
	{"MPI_Ssend_init", "count datatype:h dest tag comm:h request"},
	{"MPI_Rsend_init", "count datatype:h dest tag comm:h request"},
	{"MPI_Recv_init", "count datatype:h source tag comm:h request"},
	{"MPI_Start", "request"},
	{"MPI_Startall", "count requests[]"},
	{"MPI_Sendrecv",
	 "sendcount sendtype:h dest sendtag recvcount recvtype:h source recvtag comm:h status:t"},
	{"MPI_Sendrecv_replace", "count datatype:h dest sendtag source recvtag comm:h status:t"},
	{"MPI_Type_contiguous", "count oldtype:h newtype:h"},
	{"MPI_Type_vector", "count blocklength stride oldtype:h newtype:h"},
	{"MPI_Type_hvector", "count blocklength stride oldtype:h newtype:h"},
	{"MPI_Type_indexed", "count lengths[] indices[] oldtype:h newtype:h"},
	{"MPI_Type_hindexed", "count lengths[] indices[] oldtype:h newtype:h"},
	{"MPI_Type_struct", "count lengths[] indices[9] oldtypes:h[] newtype:h"},
	{"MPI_Address", "address"},
	{"MPI_Type_extent", "datatype:h extent"},
	{"MPI_Type_size", "datatype:h size"},
	{"MPI_Type_lb", "datatype:h lb"},
	{"MPI_Type_ub", "datatype:h ub"},
	{"MPI_Type_commit", "datatype:h"},
	{"MPI_Type_free", "datatype:h"},
	{"MPI_Get_elements", "status:t datatype:h elements"},
	{"MPI_Pack", "incount datatype:h outcount position.in position.out comm:h"},
	{"MPI_Unpack", "incount position.in position.out outcount datatype:h comm:h"},
	{"MPI_Pack_size", "incount datatype:h comm:h size"},
	{"MPI_Barrier", "comm:h"},
	{"MPI_Bcast", "count datatype:h root comm:h"},
	{"MPI_Gather", "commrank sendcount sendtype:h root comm:h ?recvcount ?recvtype:h"},
	{"MPI_Gatherv",
	 "commrank commsize sendcount sendtype:h root comm:h ?recvcounts[] ?displs[] recvtype:h"},
	{"MPI_Scatter", "commrank recvcount recvtype:h root comm:h ?sendcount ?sendtype:h"},
	{"MPI_Scatterv",
	 "commrank commsize sendtype:h recvcount recvtype:h root comm:h ?sendcounts[] ?displs[]"},
	{"MPI_Allgather", "sendcount sendtype:h recvcount recvtype:h comm:h"},
	{"MPI_Allgatherv", "commsize sendcount sendtype:h recvcounts[] displs[] recvtype:h comm:h"},
	{"MPI_Alltoall", "sendcount sendtype:h recvcount recvtype:h comm:h"},
	{"MPI_Alltoallv", "commsize sendcounts[] senddispls[] sendtype:h recvcounts[] recvdispls[] "
			  "recvtype:h comm:h"},
	{"MPI_Reduce", "count datatype:h op:b root comm:h"},
	{"MPI_Op_create", "commute op:b"},
	{"MPI_Op_free", "op:b"},
	{"MPI_Allreduce", "count datatype:h op:b comm:h"},
	{"MPI_Reduce_scatter", "commsize recvcounts[] datatype:h op:b comm:h"},
	{"MPI_Scan", "count datatype:h op:b comm:h"},
	{"MPI_Group_size", "group:h size"},
	{"MPI_Group_rank", "group:h rank"},
	{"MPI_Group_translate_ranks", "group1:h count ranks1[] group2:h ranks2[]"},
	{"MPI_Group_compare", "group1:h group2:h result:b"},
	{"MPI_Comm_group", "comm:h group:h"},
	{"MPI_Group_union", "group1:h group2:h newgroup:h"},
	{"MPI_Group_intersection", "group1:h group2:h newgroup:h"},
	{"MPI_Group_difference", "group1:h group2:h newgroup:h"},
	{"MPI_Group_incl", "group:h count ranks[] newgroup:h"},
	{"MPI_Group_excl", "group:h count ranks[] newgroup:h"},
	{"MPI_Group_range_incl", "group:h count ranges[][] newgroup:h"},
	{"MPI_Group_range_excl", "group:h count ranges[][] newgroup:h"},
	{"MPI_Group_free", "group:h"},
	{"MPI_Comm_size", "comm:h size"},
	{"MPI_Comm_rank", "comm:h rank"},
	{"MPI_Comm_compare", "comm1:h comm2:h result:b"},
	{"MPI_Comm_dup", "oldcomm:h newcomm:h"},
	{"MPI_Comm_create", "oldcomm:h group:h newcomm:h"},
	{"MPI_Comm_split", "oldcomm:h color key newcomm:h"},
	{"MPI_Comm_free", "comm:h"},
	{"MPI_Comm_test_inter", "comm:h inter"},
	{"MPI_Comm_remote_size", "comm:h size"},
	{"MPI_Comm_remote_group", "comm:h group:h"},
	{"MPI_Intercomm_create", "localcomm:h localleader remotecomm:h remoteleader tag newcomm:h"},
	{"MPI_Intercomm_merge", "comm:h high newcomm:h"},
	{"MPI_Keyval_create", "key:h"},
	{"MPI_Keyval_free", "key:h"},
	{"MPI_Attr_put", "comm:h key"},
	{"MPI_Attr_get", "comm:h key flag"},
	{"MPI_Attr_delete", "comm:h key"},
	{"MPI_Topo_test", "comm:h topo:b"},
	{"MPI_Cart_create", "oldcomm:h ndim dims[] periods[] reorder newcomm:h"},
	{"MPI_Dims_create", "nodes ndim dims.in[] dims.out[]"},
	{"MPI_Graph_create", "numedges oldcomm:h nodes index[] edges[] reorder newcomm:h"},
	{"MPI_Graphdims_get", "comm:h nodes edges"},
	{"MPI_Graph_get", "totedges totnodes comm:h maxindex maxedges index[] edges[]"},
	{"MPI_Cartdim_get", "comm:h ndim"},
	{"MPI_Cart_get", "ndim comm:h maxdims dims[] periods[] coords[8]"},
	{"MPI_Cart_rank", "ndim comm:h coords[] rank"},
	{"MPI_Cart_coords", "ndim comm:h rank maxdims coords[]"},
	{"MPI_Graph_neighbors_count", "comm:h rank nneigh"},
	{"MPI_Graph_neighbors", "nneigh comm:h rank maxneighbors neighbors[]"},
	{"MPI_Cart_shift", "comm:h direction displ source dest"},
	{"MPI_Cart_sub", "ndim oldcomm:h remain_dims[] newcomm:h"},
	{"MPI_Cart_map", "comm:h ndim dims[] period[] newrank"},
	{"MPI_Graph_map", "numedges comm:h nodes index[] edges[] newrank"},
	{"MPI_Get_processor_name", "name:s resultlen"},
	{"MPI_Get_version", "version subversion"},
	{"MPI_Errhandler_create", "errhandler:h"},
	{"MPI_Errhandler_set", "comm:h errhandler:h"},
	{"MPI_Errhandler_get", "comm:h errhandler:h"},
	{"MPI_Errhandler_free", "errhandler:h"},
	{"MPI_Error_string", "errorcode errorstring:s resultlen"},
	{"MPI_Error_class", "errorcode errorclass"},
	{"MPI_Wtime", ""},
	{"MPI_Wtick", ""},
	{"MPI_Init", "argv:s[2]"},
	{"MPI_Finalize", ""},
	{"MPI_Initialized", "result"},
	{"MPI_Abort", "comm:h errorcode"},
	{"MPI_Pcontrol", NULL},
	{"MPI_Close_port", "portname:s"},
	{"MPI_Comm_accept", "portname:s info:h root oldcomm:h newcomm:h"},
	{"MPI_Comm_connect", "portname:s info:h root oldcomm:h newcomm:h"},
	{"MPI_Comm_disconnect", "comm:h"},
	{"MPI_Comm_get_parent", "parent:h"},
	{"MPI_Comm_join", "fd comm:h"},
	{"MPI_Comm_spawn",
	 "commrank root oldcomm:h newcomm:h ?command:s ?argv:s[] ?maxprocs ?info:h ?errcodes[]"},
	{"MPI_Comm_spawn_multiple", "totprocs commrank root oldcomm:h newcomm:h ?count "
				    "?commands:s[] ?argvs:s[][] ?maxprocs[] ?info:h[] ?errcodes[]"},
	{"MPI_Lookup_name", "servicename:s info:h portname:s"},
	{"MPI_Open_port", "info:h portname:s"},
	{"MPI_Publish_name", "servicename:s info:h portname:s"},
	{"MPI_Unpublish_name", "servicename:s info:h portname:s"},
	{"MPI_Accumulate",
	 "origincount origintype:h targetrank targetdisp targetcount targettype:h op:b win:h"},
	{"MPI_Get",
	 "origincount origintype:h targetrank targetdisp targetcount targettype:h win:h"},
	{"MPI_Put",
	 "origincount origintype:h targetrank targetdisp targetcount targettype:h win:h"},
	{"MPI_Win_complete", "win:h"},
	{"MPI_Win_create", "size dispunit info:h comm:h win:h"},
	{"MPI_Win_fence", "assertion:b win:h"},
	{"MPI_Win_free", "win:h"},
	{"MPI_Win_get_group", "win:h group:h"},
	{"MPI_Win_lock", "locktype:b winrank assertion:b win:h"},
	{"MPI_Win_post", "group:h assertion:b win:h"},
	{"MPI_Win_start", "group:h assertion:b win:h"},
	{"MPI_Win_test", "win:h flag"},
	{"MPI_Win_unlock", "winrank win:h"},
	{"MPI_Win_wait", "win:h"},
	{"MPI_Alltoallw", "commsize sendcounts[] senddispls[] sendtypes:h[] recvcounts[] "
			  "recvdispls[] recvtypes:h[] comm:h"},
	{"MPI_Exscan", "count datatype:h op:b comm:h"},
	{"MPI_Add_error_class", "errorclass"},
	{"MPI_Add_error_code", "errorclass errorcode"},
	{"MPI_Add_error_string", "errorcode errorstring:s"},
	{"MPI_Comm_call_errhandler", "comm:h errorcode"},
	{"MPI_Comm_create_keyval", "keyval:h"},
	{"MPI_Comm_delete_attr", "comm:h keyval:h"},
	{"MPI_Comm_free_keyval", "keyval:h"},
	{"MPI_Comm_get_attr", "comm:h keyval:h flag"},
	{"MPI_Comm_get_name", "comm:h name:s resultlen"},
	{"MPI_Comm_set_attr", "comm:h keyval:h"},
	{"MPI_Comm_set_name", "comm:h name:s"},
	{"MPI_File_call_errhandler", "file:h errorcode"},
	{"MPI_Grequest_complete", "request"},
	{"MPI_Grequest_start", "request"},
	{"MPI_Init_thread", "argv:s[] required:b provided:b"},
	{"MPI_Is_thread_main", "flag"},
	{"MPI_Query_thread", "supported:b"},
	{"MPI_Status_set_cancelled", "status:t flag"},
	{"MPI_Status_set_elements", "status:t datatype:h count"},
	{"MPI_Type_create_keyval", "keyval:h"},
	{"MPI_Type_delete_attr", "datatype:h keyval:h"},
	{"MPI_Type_dup", "oldtype:h newtype:h"},
	{"MPI_Type_free_keyval", "keyval:h"},
	{"MPI_Type_get_attr", "datatype:h keyval:h flag"},
	{"MPI_Type_get_contents",
	 "numdatatypes numaddresses numintegers datatype:h maxintegers maxaddresses maxdatatypes "
	 "arrintegers[] arraddresses[] arrdatatypes:h[]"},
	{"MPI_Type_get_envelope", "datatype:h numintegers numaddresses numdatatypes combiner:b"},
	{"MPI_Type_get_name", "datatype:h name:s resultlen"},
	{"MPI_Type_set_attr", "datatype:h keyval:h"},
	{"MPI_Type_set_name", "datatype:h name:s"},
	{"MPI_Type_match_size", "typeclass:b size datatype:h"},
	{"MPI_Win_call_errhandler", "win:h errorcode"},
	{"MPI_Win_create_keyval", "keyval:h"},
	{"MPI_Win_delete_attr", "win:h keyval:h"},
	{"MPI_Win_free_keyval", "keyval:h"},
	{"MPI_Win_get_attr", "win:h keyval:h flag"},
	{"MPI_Win_get_name", "win:h name:s resultlen"},
	{"MPI_Win_set_attr", "win:h keyval:h"},
	{"MPI_Win_set_name", "win:h name:s"},
	{"MPI_Alloc_mem", "size info:h"},
	{"MPI_Comm_create_errhandler", "errhandler:h"},
	{"MPI_Comm_get_errhandler", "comm:h errhandler:h"},
	{"MPI_Comm_set_errhandler", "comm:h errhandler:h"},
	{"MPI_File_create_errhandler", "errhandler:h"},
	{"MPI_File_get_errhandler", "file:h errhandler:h"},
	{"MPI_File_set_errhandler", "file:h errhandler:h"},
	{"MPI_Finalized", "flag"},
	{"MPI_Free_mem", ""},
	{"MPI_Get_address", "address"},
	{"MPI_Info_create", "info:h"},
	{"MPI_Info_delete", "info:h key:s"},
	{"MPI_Info_dup", "oldinfo:h newinfo:h"},
	{"MPI_Info_free", "info:h"},
	{"MPI_Info_get", "info:h key:s valuelength value:s flag"},
	{"MPI_Info_get_nkeys", "info:h nkeys"},
	{"MPI_Info_get_nthkey", "info:h n key:s"},
	{"MPI_Info_get_valuelen", "info:h key:s valuelen flag"},
	{"MPI_Info_set", "info:h key:s value:s"},
	{"MPI_Pack_external", "datarep:s incount intype:h outcount position.in position.out"},
	{"MPI_Pack_external_size", "datarep:s incount datatype:h size"},
	{"MPI_Request_get_status", "request flag status:t"},
	{"MPI_Type_create_darray",
	 "size rank ndims gsizes[] distribs:b[] dargs[] psizes[] order:b oldtype:h newtype:h"},
	{"MPI_Type_create_hindexed", "count blocklengths[] displacements[] oldtype:h newtype:h"},
	{"MPI_Type_create_hvector", "count blocklength stride oldtype:h newtype:h"},
	{"MPI_Type_create_indexed_block", "count blocklength displacments[] oldtype:h newtype:h"},
	{"MPI_Type_create_resized", "oldtype:h lb extent newtype:h"},
	{"MPI_Type_create_struct", "count blocklengths[] displacements[] oldtypes:h[] newtype:h"},
	{"MPI_Type_create_subarray",
	 "ndims sizes[] subsizes[] starts[] order:b oldtype:h newtype:h"},
	{"MPI_Type_get_extent", "datatype:h lb extent"},
	{"MPI_Type_get_true_extent", "datatype:h lb extent"},
	{"MPI_Unpack_external", "datarep:s insize position.in position.out outcount datatype:h"},
	{"MPI_Win_create_errhandler", "errhandler:h"},
	{"MPI_Win_get_errhandler", "win:h errhandler:h"},
	{"MPI_Win_set_errhandler", "win:h errhandler:h"},
	{"MPI_File_open", "comm:h filename:s amode:b info:h file:h"},
	{"MPI_File_close", "file:h"},
	{"MPI_File_delete", "filename:s info:h"},
	{"MPI_File_set_size", "file:h size:l"},
	{"MPI_File_preallocate", "file:h size:l"},
	{"MPI_File_get_size", "file:h size:l"},
	{"MPI_File_get_group", "file:h group:h"},
	{"MPI_File_get_amode", "file:h amode:b"},
	{"MPI_File_set_info", "file:h info:h"},
	{"MPI_File_get_info", "file:h info:h"},
	{"MPI_File_set_view", "file:h offset:l hosttype:h filetype:h datarep:s info:h"},
	{"MPI_File_get_view", "file:h offset:l hosttype:h filetype:h datarep:s"},
	{"MPI_File_read_at", "file:h offset:l count datatype:h status:t"},
	{"MPI_File_read_at_all", "file:h offset:l count datatype:h status:t"},
	{"MPI_File_write_at", "file:h offset:l count datatype:h status:t"},
	{"MPI_File_write_at_all", "file:h offset:l count datatype:h status:t"},
	{"MPI_File_iread_at", "file:h offset:l count datatype:h request"},
	{"MPI_File_iwrite_at", "file:h offset:l count datatype:h request"},
	{"MPI_File_read", "file:h count datatype:h status:t"},
	{"MPI_File_read_all", "file:h count datatype:h status:t"},
	{"MPI_File_write", "file:h count datatype:h status:t"},
	{"MPI_File_write_all", "file:h count datatype:h status:t"},
	{"MPI_File_iread", "file:h count datatype:h request"},
	{"MPI_File_iwrite", "file:h count datatype:h request"},
	{"MPI_File_seek", "file:h offset:l whence:b"},
	{"MPI_File_get_position", "file:h offset:l"},
	{"MPI_File_get_byte_offset", "file:h offset:l bytes:l"},
	{"MPI_File_read_shared", "file:h count datatype:h status:t"},
	{"MPI_File_write_shared", "file:h count datatype:h status:t"},
	{"MPI_File_iread_shared", "file:h count datatype:h request"},
	{"MPI_File_iwrite_shared", "file:h count datatype:h request"},
	{"MPI_File_read_ordered", "file:h count datatype:h status:t"},
	{"MPI_File_write_ordered", "file:h count datatype:h status:t"},
	{"MPI_File_seek_shared", "file:h offset:l whence:b"},
	{"MPI_File_get_position_shared", "file:h offset:l"},
	{"MPI_File_read_at_all_begin", "file:h offset:l count datatype:h"},
	{"MPI_File_read_at_all_end", "file:h status:t"},
	{"MPI_File_write_at_all_begin", "file:h offset:l count datatype:h"},
	{"MPI_File_write_at_all_end", "file:h status:t"},
	{"MPI_File_read_all_begin", "file:h count datatype:h"},
	{"MPI_File_read_all_end", "file:h status:t"},
	{"MPI_File_write_all_begin", "file:h count datatype:h"},
	{"MPI_File_write_all_end", "file:h status:t"},
	{"MPI_File_read_ordered_begin", "file:h count datatype:h"},
	{"MPI_File_read_ordered_end", "file:h status:t"},
	{"MPI_File_write_ordered_begin", "file:h count datatype:h"},
	{"MPI_File_write_ordered_end", "file:h status:t"},
	{"MPI_File_get_type_extent", "file:h datatype:h extent"},
	{"MPI_Register_datarep", "name:s"},
	{"MPI_File_set_atomicity", "file:h flag"},
	{"MPI_File_get_atomicity", "file:h flag"},
	{"MPI_File_sync", "file:h"},
	{"MPIO_Test", "request flag status:t"},
	{"MPIO_Wait", "request status:t"},
	{"MPIO_Testall", "count requests[] flag statuses:t"},
	{"MPIO_Waitall", "count requests[] statuses:t"},
	{"MPIO_Testany", "count requests[] flag index statuses:t"},
	{"MPIO_Waitany", "count requests[] index statuses:t"},
	{"MPIO_Waitsome", "count requests[] outcount indices[] statuses:t"},
	{"MPIO_Testsome", "count requests[] outcount indices[] statuses:t"},
	{"MPI_ALL_FUNCTIONS", NULL},
	{"Function_enter", "fn:l"},
	{"Function_exit", "fn:l"},
};

int dumpi_nfunctions(void)
{
	return (int)(sizeof(functions) / sizeof(functions[0]));
}

const char *dumpi_function_name(int function)
{
	return functions[function].name;
}

#define DUMPI_ARG(symbol, name) name,
static const char *const arg_names[] = {DUMPI_ARGS(DUMPI_ARG)};
#undef DUMPI_ARG

int dumpi_arg_find(const char *name, size_t n)
{
	for (int i = 0; i < DUMPI_NARGS; i++)
		if (strncmp(arg_names[i], name, n) == 0 && arg_names[i][n] == '\0')
			return i;
	return -1;
}

/* One argument's description; returns where it ends. */
static const char *make_field(struct dumpi_field *field, const char *text)
{
	static const char letters[] = "hbl", others[] = "st";
	size_t n;

	*field = (struct dumpi_field){.root_only = *text == '?'};
	text += field->root_only;
	n = strcspn(text, " :[");
	field->arg = dumpi_arg_find(text, n);
	text += n;
	if (*text == ':') {
		const char *number = strchr(letters, text[1]), *other = strchr(others, text[1]);

		field->type = number != NULL ? DUMPI_TYPE_HALF + (number - letters)
					     : DUMPI_TYPE_STRING + (other - others);
		text += 2;
	}
	for (; *text == '['; text += 2, field->ndims++)
		if (text[1] != ']')
			field->since = *++text - '0';
	return text;
}

void dumpi_layout_make(struct dumpi_layout *layout, int function)
{
	const char *text = functions[function].args;

	layout->is_made = true;
	layout->n = -1;
	if (text == NULL)
		return;
	for (layout->n = 0; *text != '\0'; text += *text == ' ')
		text = make_field(&layout->fields[layout->n++], text);
}

/* ---- a call that is being read ---- */

void dumpi_call_begin(struct dumpi_parse *parse, int function)
{
	parse->call.name = functions[function].name;
	parse->call.function = function;
	parse->call.thread = 0;
	parse->call.has = 0;
	parse->call.text = NULL;
	parse->ints.n = 0;
	parse->statuses.n = 0;
}

void dumpi_call_number(struct dumpi_parse *parse, int arg, int64_t number)
{
	if (arg < 0)
		return;
	parse->call.has |= (uint64_t)1 << arg;
	parse->call.args[arg].number = number;
	parse->call.args[arg].n = 0;
}

void dumpi_call_array(struct dumpi_parse *parse, int arg)
{
	dumpi_call_number(parse, arg, (int64_t)parse->ints.n);
}

void dumpi_call_array_end(struct dumpi_parse *parse, int arg)
{
	if (arg >= 0)
		parse->call.args[arg].n =
			(int32_t)((int64_t)parse->ints.n - parse->call.args[arg].number);
}

void dumpi_call_text(struct dumpi_parse *parse, const char *text, size_t n)
{
	buf_clear(&parse->text);
	buf_add(&parse->text, text, n);
	parse->call.text = buf_text(&parse->text);
}

int dumpi_call_take(struct dumpi_parse *parse, struct err *err)
{
	parse->call.ints = parse->ints.at;
	parse->call.statuses = parse->statuses.at;
	parse->call.nstatuses = (int)parse->statuses.n;
	return parse->taker->call != NULL ? parse->taker->call(parse->context, &parse->call, err)
					  : 0;
}

void dumpi_parse_free(struct dumpi_parse *parse)
{
	vec_free(&parse->ints);
	vec_free(&parse->statuses);
	buf_free(&parse->text);
}
