! graphs.f90 - what graphs.c asks, by a module of Fortran: -DMODULE=mpi or mpi_f08
program graphs
	use MODULE
	implicit none
#ifdef F08
	type(MPI_Comm) :: graph
#else
	integer :: graph
#endif
	integer :: world, n, rank, k, nin, nout, ierror, wrong, all_wrong
	integer :: in(4), out(4), in_weights(4), out_weights(4), got(4), got_weights(4), gone(4), gone_weights(4)
	integer :: sent(4), at(2)
	integer, allocatable :: processes(:), edges(:), ends(:)
	logical :: weighted

	wrong = 0
	call MPI_Init(ierror)
	call MPI_Comm_rank(MPI_COMM_WORLD, world, ierror)
	call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)
	do k = 0, 3
		in(k + 1) = mod(world + 3 * k * k + k, n)
		out(k + 1) = modulo(world - 3 * k * k - k, n)
		in_weights(k + 1) = 1000 * k + 7 * in(k + 1) + world
		out_weights(k + 1) = 1000 * k + 7 * world + out(k + 1)
	end do
	call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, in, in_weights, 4, out, out_weights, MPI_INFO_NULL, &
		.true., graph, ierror)
	call MPI_Comm_rank(graph, rank, ierror)
	call MPI_Dist_graph_neighbors_count(graph, nin, nout, weighted, ierror)
	call expect(nin == 4 .and. nout == 4 .and. weighted, 'degrees')
	call MPI_Dist_graph_neighbors(graph, 4, got, got_weights, 4, gone, gone_weights, ierror)
	do k = 0, 3
		sent(k + 1) = rank
		call expect(got(k + 1) == mod(rank + 3 * k * k + k, n), 'order in')
		call expect(gone(k + 1) == modulo(rank - 3 * k * k - k, n), 'order out')
		call expect(got_weights(k + 1) == 1000 * k + 7 * got(k + 1) + rank, 'weights in')
		call expect(gone_weights(k + 1) == 1000 * k + 7 * rank + gone(k + 1), 'weights out')
	end do
	call MPI_Neighbor_alltoall(sent, 1, MPI_INTEGER, got, 1, MPI_INTEGER, graph, ierror)
	do k = 0, 3
		call expect(got(k + 1) == mod(rank + 3 * k * k + k, n), 'neighbour')
	end do
	allocate (processes(n), edges(n), ends(n))
	call MPI_Gather(world, 1, MPI_INTEGER, processes, 1, MPI_INTEGER, 0, graph, ierror)
	if (rank == 0) print '(a,*(1x,i0))', 'process of each rank:', processes
	call MPI_Comm_free(graph, ierror)

	call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, in, MPI_UNWEIGHTED, 4, out, MPI_UNWEIGHTED, MPI_INFO_NULL, &
		.true., graph, ierror)
	call MPI_Dist_graph_neighbors_count(graph, nin, nout, weighted, ierror)
	call expect(.not. weighted, 'weights where there are none')
	call MPI_Comm_free(graph, ierror)

	in(1) = world
	sent(1) = 1
	out(1) = mod(world + 1, n)
	call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, in, sent, out, MPI_UNWEIGHTED, MPI_INFO_NULL, .true., graph, ierror)
	call MPI_Comm_rank(graph, rank, ierror)
	call MPI_Dist_graph_neighbors_count(graph, nin, nout, weighted, ierror)
	call expect(nin == 1 .and. nout == 1 .and. .not. weighted, 'degrees of the ring')
	call MPI_Comm_free(graph, ierror)

	call MPI_Cart_create(MPI_COMM_WORLD, 2, (/ n / 2, 2 /), (/ .true., .false. /), .true., graph, ierror)
	call MPI_Comm_rank(graph, rank, ierror)
	call MPI_Gather(world, 1, MPI_INTEGER, processes, 1, MPI_INTEGER, 0, graph, ierror)
	if (rank == 0) print '(a,*(1x,i0))', 'process of each rank of the grid:', processes
	call MPI_Cart_coords(graph, rank, 2, at, ierror)
	call expect(at(1) == rank / 2 .and. at(2) == mod(rank, 2), 'coordinates')
	call MPI_Cart_shift(graph, 0, 1, in(1), in(2), ierror)
	call expect(in(2) == mod(rank + 2, n), 'neighbour in the grid')
	call MPI_Comm_free(graph, ierror)

	do k = 1, n
		ends(k) = k
		edges(k) = mod(k, n)
	end do
	call MPI_Graph_create(MPI_COMM_WORLD, n, ends, edges, .true., graph, ierror)
	call MPI_Comm_rank(graph, rank, ierror)
	call MPI_Graph_neighbors(graph, rank, 1, in, ierror)
	call expect(in(1) == mod(rank + 1, n), 'neighbour in the graph')
	call MPI_Comm_free(graph, ierror)

	call MPI_Allreduce(wrong, all_wrong, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierror)
	call MPI_Finalize(ierror)
	if (all_wrong /= 0) stop 1
contains
	subroutine expect(is, what)
		logical, intent(in) :: is
		character(*), intent(in) :: what

		if (is) return
		print *, 'graphs: wrong ', what, world
		wrong = 1
	end subroutine
end program
