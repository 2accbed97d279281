/*
 * Lookups of macroscopic cross sections as XSBench has them (Tramm et al., 2014), written anew: each
 * work item draws an energy and a material, finds the energy in each nuclide's grid by bisection,
 * interpolates five cross sections, and adds a hash of what it found. MIT licence, as placetools.
 */
#pragma OPENCL FP_CONTRACT OFF
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#define CHANNELS 5

static ulong draw(ulong *state)
{
	*state = *state * 6364136223846793005UL + 1442695040888963407UL;
	return *state >> 33;
}

static int find(__global const float *grid, int points, float energy)
{
	int low = 0, high = points - 1;

	while (high - low > 1) {
		int middle = (low + high) / 2;

		if (grid[middle] > energy)
			high = middle;
		else
			low = middle;
	}
	return low;
}

__kernel void lookup(__global const float *energy, __global const float *section,
		     __global ulong *hash, int nuclides, int points, int per_material)
{
	ulong state = get_global_id(0) * 2654435761UL + 12345;
	float e = (draw(&state) & 0xffffff) / 16777216.0f, total[CHANNELS] = {0};
	int material = draw(&state) % nuclides, best = 0;

	for (int i = 0; i < per_material; i++) {
		int nuclide = (material + i * 7) % nuclides;
		__global const float *grid = energy + nuclide * points;
		int at = find(grid, points, e);
		float f = (grid[at + 1] - e) / (grid[at + 1] - grid[at]);
		__global const float *low = section + (nuclide * points + at) * CHANNELS;

		for (int k = 0; k < CHANNELS; k++)
			total[k] += low[CHANNELS + k] - f * (low[CHANNELS + k] - low[k]);
	}
	for (int k = 1; k < CHANNELS; k++)
		if (total[k] > total[best])
			best = k;
	atom_add(hash, (ulong)(best + 1));
}
