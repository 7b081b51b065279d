// VTK's Flying Edges.
#include <vtkFloatArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkSMPTools.h>
#include <vtkSmartPointer.h>

#include "peer.h"

namespace scree::bench {

Peer vtk_peer(const std::vector<float>& field, int n, int threads) {
  vtkSMPTools::SetBackend("TBB");
  vtkSMPTools::Initialize(threads);
  vtkNew<vtkFloatArray> values;
  values->SetArray(const_cast<float*>(field.data()), static_cast<vtkIdType>(field.size()), 1);
  vtkNew<vtkImageData> image;
  image->SetDimensions(n, n, n);
  image->GetPointData()->SetScalars(values);
  auto edges = vtkSmartPointer<vtkFlyingEdges3D>::New();
  edges->SetInputData(image);
  edges->SetValue(0, 0.5);
  edges->ComputeNormalsOn();
  edges->ComputeGradientsOff();
  edges->ComputeScalarsOff();
  const std::string name = std::string("VTK Flying Edges (") + vtkSMPTools::GetBackend() + ")";
  return {name,
          [edges] {
            edges->Modified();
            edges->Update();
          },
          [edges] { return static_cast<std::size_t>(edges->GetOutput()->GetNumberOfPolys()); }};
}

}  // namespace scree::bench
