# package.py - Spack's recipe: spack repo create here, or copy the folder to packages/ of a repository
from spack.package import *


class Placetools(MakefilePackage):
    """Unix filters for the placement of jobs and MPI ranks on HPC networks."""

    homepage = "https://example.org/placetools"
    url = "https://example.org/placetools-0.1.0.tar.gz"
    license("MIT")

    version("develop", branch="main")
    version("0.1.0")

    variant("mpi", default=True, description="mapref and netsim use the processes of an MPI launcher")
    variant("otf2", default=True, description="reads and writes OTF2 archives")
    variant("scotch", default=True, description="mappers and partitions by Scotch")
    variant("metis", default=True, description="partitions by METIS")
    variant("lpsolve", default=False, description="bounds of cosched by lp_solve")
    variant("opencl", default=False, description="clslice runs kernels on OpenCL devices")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("libyaml")
    depends_on("zlib-api")
    depends_on("mpi", when="+mpi")
    depends_on("otf2@3:", when="+otf2")
    depends_on("scotch", when="+scotch")
    depends_on("metis", when="+metis")
    depends_on("lpsolve", when="+lpsolve")
    depends_on("opencl", when="+opencl")

    def flags(self):
        words = ["PREFIX={0}".format(self.prefix)]
        for name in ("mpi", "otf2", "scotch", "metis", "lpsolve", "opencl"):
            if not self.spec.satisfies("+" + name):
                words.append("{0}=no".format(name.upper()))
            elif name not in ("mpi", "opencl"):
                words.append("{0}_DIR={1}".format(name.upper(), self.spec[name].prefix))
        return words

    def build(self, spec, prefix):
        make("all", *self.flags())

    def install(self, spec, prefix):
        make("install", *self.flags())
