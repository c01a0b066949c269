# SPDX-License-Identifier: Apache-2.0
"""Shapes, strides and views."""

from case_list import Cases

cases = Cases("shape")

X = "x = torch.arange(6.0).view(2, 3)"
Y = "y = torch.arange(24).view(2, 3, 4)"
Z = "z = torch.tensor(5.0)"

FORMS = {
    "asking": """
(x.shape, x.size(), x.size(0), x.size(-1), x.size(dim=1), x.dim(), x.ndim, x.numel(), len(x))
(y.shape[0], y.shape[-1], y.shape[1:], y.size()[::-1], list(y.shape), tuple(y.shape), len(y.shape))
(z.shape, z.dim(), z.numel(), z.size(), x[:0].shape, x[:0].numel(), torch.numel(x), y.nelement())
(x.stride(), x.t().stride(), y.stride(1), y.stride(-1), x.storage_offset(), x[1].storage_offset())
(x.is_contiguous(), x.t().is_contiguous(), x[:, ::2].is_contiguous(), x[:1].is_contiguous(), x.t().contiguous())
(x.shape == (2, 3), x.shape == torch.Size([2, 3]), y.shape[:-1] == x.shape, x.shape != y.shape)
x.size(2)
x.size(-3)
x.shape[2]
len(z)
(torch.Size([1, 2]) + (3,), y.shape[:1] + (7,), x.shape.numel(), 3 in x.shape)
""",
    "unsqueeze": """
(x.unsqueeze(0), x.unsqueeze(-1), torch.unsqueeze(x, 1), torch.unsqueeze(input=x, dim=2), x.t().unsqueeze(1))
(z.unsqueeze(0), x[:0].unsqueeze(0), x.unsqueeze(-3))
x.unsqueeze(3)
x.unsqueeze(-4)
x.unsqueeze()
x.unsqueeze(1.5)
x.clone().unsqueeze_(0)
""",
    "squeeze": """
(x[None].squeeze(), x[None].squeeze(0), x[None].squeeze(1), torch.squeeze(x[:, None], dim=1), x[:, :1].squeeze(-1))
(x[None, :, None].squeeze((0, 2)), x[:1, :1].squeeze(), z.squeeze(), z.squeeze(0), z.squeeze(-1))
x.squeeze(2)
(y[:, :1].squeeze(1).stride(), x[:0].squeeze().shape)
x[None].clone().squeeze_(0)
""",
    "view": """
(x.view(6), x.view(3, 2), x.view(-1), x.view((3, -1)), x.view(1, 2, 3), x.view(size=(6,)), x.view([2, 3]))
(y.view(6, 4), y.view(2, -1), y[:, :, :2].view(6, 2), y[0].view(12), z.view(1), z.view(1, 1), x[:0].view(0, 5))
x.view(4, 2)
x.view(-1, 4)
x.view(-1, -1)
x.view(-2, 3)
x.t().view(6)
x[:, :2].view(-1)
x.view()
x.view(2.0, 3)
x.view('a')
(y.view_as(y), x.view_as(y[0, :2, :3]))
x[:, :2].view(torch.int32)
x.view_as(y)
x[:0].view(-1)
x[:0].view(-1, 0)
y.transpose(0, 1).view(3, 2, 2, 2)
y.permute(2, 0, 1).view(4, 6)
""",
    "reshape": """
(x.reshape(3, 2), x.t().reshape(6), torch.reshape(x, (6,)), torch.reshape(x, (-1, 2)), x.reshape((1, 6)), x.reshape(shape=(6,)))
(x[:, :2].reshape(-1), x.t().reshape(3, 2), z.reshape(1, 1), z.reshape(()), x[:1, :1].reshape([]), x[:0].reshape(3, 0))
x.reshape(4)
x.reshape(-1, 4)
x.reshape_as(y[0, :3, :2].reshape(3, 2))
x.expand(2, 2, 3).reshape(4, 3)
x[:, None].expand(2, 4, 3).reshape(2, 12)
x[:0].reshape(-1)
x.reshape()
x.reshape(6, -1, -1)
""",
    "transpose": """
(x.t(), x.T, x.mT, x.transpose(0, 1), torch.transpose(x, 0, 1), torch.t(x), x.transpose(-1, -2), x.swapaxes(0, 1))
(y.transpose(0, 2), y.mT, y.transpose(1, 1), torch.transpose(input=y, dim0=0, dim1=1), y.transpose(-1, 0).shape)
(z.t(), y[0, 0].t(), z.transpose(0, 0), z.transpose(0, -1))
y.t()
x.transpose(0, 2)
z.mT
x.transpose(0)
y[0, 0].T
""",
    "permute": """
(y.permute(2, 0, 1), y.permute((0, 2, 1)), torch.permute(y, (1, 0, 2)), y.permute(-1, 0, 1).shape, y.permute(dims=(2, 1, 0)).stride())
(z.permute(()), x.permute(1, 0).contiguous(), x[:0].permute(1, 0))
y.permute(0, 1)
y.permute(0, 0, 1)
y.permute(0, 1, 3)
(torch.movedim(y, 0, 2), y.movedim(-1, 0), y.movedim((0, 1), (1, 2)), torch.movedim(y, source=1, destination=0), torch.moveaxis(y, 0, 1))
y.movedim(0, 3)
y.movedim((0, 1), (1,))
y.movedim((0, 0), (1, 2))
""",
    "flatten": """
(y.flatten(), y.flatten(1), y.flatten(0, 1), y.flatten(start_dim=1, end_dim=-1), torch.flatten(x, 0), z.flatten(), y.flatten(1, 1))
(x.t().flatten(), y.transpose(1, 2).flatten(1), y[:, :, :2].flatten(0, 1), x[:0].flatten(), y.ravel(), torch.ravel(x.t()))
y.flatten(2, 1)
y.flatten(3)
(x.unflatten(1, (3, 1)), y.unflatten(-1, (2, 2)), torch.unflatten(y, 2, (-1, 2)), x.t().unflatten(0, (1, 3)))
x.unflatten(1, (2, 2))
x.unflatten(1, ())
""",
    "expand": """
(x.expand(4, 2, 3), x[:, :1].expand(2, 4), x[:1].expand(3, -1), x[None].expand(2, -1, 3), z.expand(2, 2), x.expand(size=(2, 3)))
(x.expand((1, 2, 3)), x[:1].expand_as(x), x[:0].expand(0, 3), x[:, :1].expand(2, 0), torch.broadcast_to(x, (2, 2, 3)), x.broadcast_to((1, 2, 3)))
x.expand(2, 4)
x.expand(3)
x.expand(-1, 2, 3)
x.expand_as(y)
torch.broadcast_to(x, (3, 3))
x.t().expand(2, 3, 2)
x.expand()
(x[:, None].expand(-1, 2, -1).stride(), x.expand(1, 1, 2, 3).stride(), x[:1, :1].expand(2, 3).is_contiguous())
""",
    "repeat": """
(x.repeat(2, 1), x.repeat(1, 2, 1), x.repeat((1, 2)), x.repeat(0, 1), z.repeat(3), x.repeat(1, 1), x.t().repeat(1, 2))
x.repeat(2)
x.repeat(-1, 1)
(torch.tile(x, (2,)), x.tile(2, 1), torch.tile(x, (1, 1, 2)), z.tile(2), x.tile((2, 2)), torch.tile(x, dims=(1, 2)))
(x.repeat_interleave(2), x.repeat_interleave(2, dim=0), torch.repeat_interleave(x, 2, dim=1), z.repeat_interleave(2))
(x.repeat_interleave(torch.tensor([1, 2]), dim=0), torch.repeat_interleave(torch.tensor([2, 0, 1])), x.repeat_interleave(torch.tensor([3]), 0))
torch.repeat_interleave(x, torch.tensor([1, 2, 3]), dim=0)
torch.repeat_interleave(x, torch.tensor([1.0, 2.0]), dim=0)
torch.repeat_interleave(x, -1)
torch.repeat_interleave(x, torch.tensor([-1, 1]), dim=0)
x.repeat_interleave(torch.tensor([1, 2]), dim=0, output_size=3)
""",
    "cat": """
(torch.cat([x, x]), torch.cat((x, x), 1), torch.cat([x, x[:1]], dim=0), torch.cat([x, x], dim=-1), torch.cat(tensors=[x, x], axis=1))
(torch.cat([x]), torch.cat([x, x[:0]]), torch.cat([x, torch.zeros(0)]), torch.cat([x.t(), x.t()]).stride(), torch.concat([x, x]).shape)
torch.cat([])
torch.cat([x, y[0]], 1)
torch.cat([x, y])
torch.cat([x, x], 2)
torch.cat([z, z])
torch.cat(x)
torch.cat([x, 1])
torch.cat([x, y[0, :2, :3]])
torch.cat([x.half(), x.double()], 1)
torch.cat([x > 2, x < 2])
torch.cat([torch.zeros(2, 0), x], 1)
(torch.stack([x, x]).shape, torch.stack([x, -x], dim=-1), torch.stack([z, z]), torch.stack((x, x), 1), torch.stack(tensors=[z], dim=0))
torch.stack([x, y])
torch.stack([])
torch.stack([x, x], 3)
torch.stack([z, 1])
""",
    "split": """
(x.split(1), x.split(2, dim=1), torch.split(x, [1, 2], dim=1), torch.split(y, 2, -1)[1], x.split(5), x.split([2, 0, 1], 1))
x.split([1, 1], dim=1)
x.split(0)
x.split(-1)
(x.chunk(2), x.chunk(2, dim=1), torch.chunk(y, 3, 2)[-1].shape, x.chunk(5, 1), torch.arange(7).chunk(3), torch.arange(5).chunk(4))
x.chunk(0)
(x.unbind(), x.unbind(1), torch.unbind(y, -1)[0], [r.sum() for r in x.unbind(0)], x[:0].unbind())
z.unbind()
(torch.arange(7).split(3)[-1], len(torch.arange(6).split(2)))
z.split(1)
""",
    "turn": """
(x.flip(0), x.flip(-1), torch.flip(x, [0, 1]), torch.flip(x, dims=(1,)), x.flip(0, 1), x.t().flip(0), x.flip([]))
x.flip(2)
x.flip(0, 0)
(x.roll(1), x.roll(1, 0), torch.roll(x, (1, -1), (0, 1)), x.roll(-4), torch.roll(x, shifts=2, dims=-1), x.roll(shifts=(1, 1), dims=(1, 1)), z.roll(1))
x.roll((1, 2), 0)
torch.roll(x, 1, 2)
""",
    "unfold": """
(x.unfold(1, 2, 1), x.unfold(0, 1, 1).shape, torch.arange(7).unfold(0, 3, 2), torch.arange(5).unfold(0, 5, 1), x.unfold(-1, 3, 1), z.unfold(0, 1, 1))
torch.arange(5).unfold(0, 6, 1)
torch.arange(5).unfold(0, 2, 0)
torch.arange(5).unfold(1, 2, 1)
torch.arange(5).unfold(dimension=0, size=2, step=3)
""",
    "narrow": """
(x.narrow(1, 1, 2), torch.narrow(x, 0, 0, 1), x.narrow(-1, -2, 2), x.narrow(1, 3, 0), x.select(0, 1), torch.select(x, -1, 0), y.select(1, -1).stride())
x.narrow(1, 2, 2)
x.narrow(1, 4, 0)
x.narrow(1, 0, -1)
x.select(0, 2)
x.select(2, 0)
z.narrow(0, 0, 1)
""",
    "diagonal": """
(x.diagonal(), x.diagonal(1), torch.diagonal(x, -1), y.diagonal(0, 1, 2), torch.diagonal(y, offset=1, dim1=0, dim2=2), x.diagonal(5), torch.diag(x), torch.diag(x[0]))
z.diagonal()
x.diagonal(0, 0, 0)
(torch.diag(x[0], 1), torch.diag(x, -1))
""",
    "as_strided": """
(x.as_strided((2, 2), (1, 1)), torch.as_strided(x, (3, 2), (2, 1)), x.as_strided((2,), (3,), 1), x.t().as_strided((2, 3), (3, 1)), x.as_strided(size=(2,), stride=(0,)), x[1].as_strided((2,), (1,)), x.as_strided((), ()))
x.as_strided((4, 3), (2, 1))
x.as_strided((2, 2), (1,))
x.as_strided((2,), (-1,))
x.as_strided((2,), (1,), -1)
torch.arange(8).as_strided((3, 4), (2, 1))
x.as_strided((0, 3), (3, 1), 40)
""",
    "memory": """
(x.contiguous() is x, x.t().contiguous(), x.t().clone(), x[:, ::2].clone(), x.expand(2, 2, 3).clone(), x[:, :1].expand(2, 3).clone(), x.t().detach(), y.permute(2, 0, 1).clone())
(x.t().contiguous().t().is_contiguous())
(x.item() if x.numel() == 1 else 0, z.item(), x[0, 1].item(), x.tolist(), z.tolist(), y[0, 0].tolist(), x[:0].tolist(), (x > 2).tolist())
x.item()
x[:0].item()
(torch.tensor([[3]]).item(), torch.tensor(True).item(), torch.tensor([2.5], dtype=torch.float16).item(), torch.tensor(0.1).item(), torch.tensor([[0.1]]).tolist())
(int(z), float(z), bool(z), int(torch.tensor(-2.7)), float(torch.tensor([3])), bool(torch.tensor([0.0])), bool(torch.tensor([[True]])))
int(x)
bool(x)
bool(x[:0])
float(x[:0])
""",
}  # fmt: skip
cases.families({"x": X, "y": Y, "z": Z}, FORMS)

# The stride of a result follows the operands', in PyTorch's own way.
LAYOUTS = [
    "(y.permute(2, 0, 1) + 1).stride()", "(y.transpose(0, 1) * y.transpose(0, 1)).stride()", "(y.permute(2, 0, 1) > 3).stride()",
    "(x.t() + torch.zeros(3, 2)).stride()", "(torch.zeros(3, 2) + x.t()).stride()", "(x.t() + torch.zeros(2)).stride()",
    "(x.t() + torch.zeros(3, 1)).stride()", "x[:, ::2].exp().stride()", "(x[:, :1].expand(2, 3) + 0).stride()",
    "(x.expand(2, 2, 3) + 1).stride()", "(x[:, :1].expand(2, 3) + x[:1].expand(2, 3)).stride()", "y.permute(1, 2, 0).float().stride()",
    "torch.where(x.t() > 1, x.t(), 0.0).stride()", "x.t().masked_fill(x.t() > 1, 0.0).stride()", "x.t().masked_fill(torch.ones(3, 1, dtype=torch.bool), 0.0).stride()",
    "x[:, None].masked_fill(torch.ones(2, 4, 3, dtype=torch.bool), 0.0).stride()", "y.permute(2, 0, 1).sum(0).stride()",
    "y.permute(2, 0, 1).float().softmax(-1).stride()", "y.permute(2, 0, 1).sum(1, keepdim=True).stride()", "y.permute(2, 1, 0).cumsum(0).stride()",
    "x.t().clamp(0, 2).stride()", "x.t().to(torch.float64).stride()", "x.t().half().stride()", "y.permute(2, 0, 1).amax(1).stride()",
    "x.t().tril().stride()", "y.permute(2, 0, 1).sort(0)[0].stride()", "torch.stack([x.t(), x.t()]).stride()", "x.t().index_select(0, torch.tensor([0, 2])).stride()",
    "x.t()[torch.tensor([0, 2])].stride()", "x.t()[:, torch.tensor([1, 0])].stride()", "x.t()[x.t() > 1].stride()", "x.t().gather(0, torch.zeros(2, 2, dtype=torch.int64)).stride()",
    "(x.t() @ x).stride()", "torch.zeros(2, 3).t().bool().logical_not().stride()", "F.softmax(x.t(), 0).stride()", "(y.permute(2, 0, 1)[::2] + 1).stride()",
    "torch.rand_like(y.permute(2, 0, 1).float()).stride()", "y.permute(2, 0, 1).flip(0).stride()", "y.permute(2, 0, 1).roll(1, 0).stride()",
    "y.permute(2, 0, 1).clone().stride()", "torch.maximum(x.t(), torch.ones(2)).stride()", "x.t().cumsum(0).stride()", "x.t().nan_to_num().stride()",
    "torch.cat([y.permute(2, 0, 1), y.permute(2, 0, 1)], 1).stride()", "x.t().repeat(1, 1).stride()", "x.t().contiguous().stride()", "x[:1].t().contiguous().stride()",
    "x[:, 1:2].contiguous().stride()", "x[:0].t().clone().stride()", "x[:1].exp().stride()", "x[:, :1].t().exp().stride()", "y[:, :1].permute(2, 1, 0).neg().stride()",
]  # fmt: skip
cases.each("layout", f"{X}\n{Y}", LAYOUTS)
