"""Networks of the transformers package, at their structure and widths with few layers, weights random."""

from __future__ import annotations

import torch
import transformers
from torch import Tensor, nn

VOCABULARY = 1000
"""Tokens of the small networks; tables of embeddings and heads shrink with it, and nothing else."""
EAGER = {"attn_implementation": "eager"}
ATTENTION = {"attn_implementation": "sdpa"}


class Fields(nn.Module):
    """A network that is called by position and gives a tuple of some fields of its result."""

    def __init__(self, network: nn.Module, names: tuple[str, ...], fields: tuple[str, ...], **options: object) -> None:
        super().__init__()
        self.network, self.names, self.fields, self.options = network, names, fields, options

    def forward(self, *given: Tensor) -> tuple[Tensor, ...]:
        result = self.network(**dict(zip(self.names, given, strict=True)), **self.options)
        return tuple(getattr(result, field) for field in self.fields)


class WithPast(nn.Module):
    """A decoder that takes the keys and values of tokens before, and gives them back longer."""

    def __init__(self, network: nn.Module, layers: int) -> None:
        super().__init__()
        self.network, self.layers = network, layers

    def forward(self, tokens: Tensor, mask: Tensor, *past: Tensor) -> tuple[Tensor, ...]:
        cache = transformers.DynamicCache()
        for layer in range(self.layers):
            cache.update(past[2 * layer], past[2 * layer + 1], layer)
        result = self.network(input_ids=tokens, attention_mask=mask, past_key_values=cache, use_cache=True)
        longer = (part for layer in result.past_key_values.layers for part in (layer.keys, layer.values))
        return (result.logits, *longer)


def bert(layers: int = 2, vocabulary: int = VOCABULARY) -> nn.Module:
    config = transformers.BertConfig(num_hidden_layers=layers, vocab_size=vocabulary)
    return Fields(
        transformers.BertModel(config),
        ("input_ids", "attention_mask", "token_type_ids"),
        ("last_hidden_state", "pooler_output"),
    )


def distilbert() -> nn.Module:
    config = transformers.DistilBertConfig(n_layers=2, vocab_size=VOCABULARY)
    network = transformers.DistilBertForSequenceClassification(config)
    return Fields(network, ("input_ids", "attention_mask"), ("logits",))


def roberta() -> nn.Module:
    config = transformers.RobertaConfig(num_hidden_layers=2, vocab_size=VOCABULARY)
    return Fields(transformers.RobertaForMaskedLM(config), ("input_ids", "attention_mask"), ("logits",))


def mobilebert() -> nn.Module:
    config = transformers.MobileBertConfig(num_hidden_layers=3, vocab_size=VOCABULARY)
    network = transformers.MobileBertModel(config)
    return Fields(network, ("input_ids", "attention_mask"), ("last_hidden_state", "pooler_output"))


def gpt2(layers: int = 2, vocabulary: int = VOCABULARY) -> nn.Module:
    config = transformers.GPT2Config(n_layer=layers, vocab_size=vocabulary)
    network = transformers.GPT2LMHeadModel(config)
    return Fields(network, ("input_ids", "attention_mask"), ("logits",), use_cache=False)


def gpt2_past() -> nn.Module:
    config = transformers.GPT2Config(n_layer=2, vocab_size=VOCABULARY)
    return WithPast(transformers.GPT2LMHeadModel(config), 2)


def _llama() -> nn.Module:
    config = transformers.LlamaConfig(
        num_hidden_layers=2,
        hidden_size=1024,
        intermediate_size=2816,
        num_attention_heads=16,
        num_key_value_heads=4,
        vocab_size=VOCABULARY,
    )
    return transformers.LlamaForCausalLM(config)


def llama() -> nn.Module:
    return Fields(_llama(), ("input_ids", "attention_mask"), ("logits",), use_cache=False)


def llama_past() -> nn.Module:
    return WithPast(_llama(), 2)


def vit() -> nn.Module:
    network = transformers.ViTForImageClassification(transformers.ViTConfig(num_hidden_layers=2, num_labels=1000))
    return Fields(network, ("pixel_values",), ("logits",))


def clip() -> nn.Module:
    config = transformers.CLIPConfig(
        text_config={"num_hidden_layers": 2, "vocab_size": VOCABULARY, "eos_token_id": VOCABULARY - 1},
        vision_config={"num_hidden_layers": 2},
    )
    network = transformers.CLIPModel(config)
    names = ("input_ids", "pixel_values", "attention_mask")
    return Fields(network, names, ("logits_per_image", "text_embeds", "image_embeds"))


def clip_text() -> nn.Module:
    config = transformers.CLIPTextConfig(num_hidden_layers=2, vocab_size=VOCABULARY, eos_token_id=VOCABULARY - 1)
    network = transformers.CLIPTextModel(config)
    return Fields(network, ("input_ids", "attention_mask"), ("last_hidden_state", "pooler_output"))


def detr() -> nn.Module:
    """Return DETR. Its backbone is transformers' own ResNet, since the usual one comes from another package."""
    config = transformers.DetrConfig(
        use_timm_backbone=False,
        use_pretrained_backbone=False,
        backbone=None,
        backbone_config=transformers.ResNetConfig(
            depths=[1, 1, 1, 1], out_features=["stage4"], layer_type="bottleneck"
        ),
        encoder_layers=2,
        decoder_layers=2,
    )
    return Fields(transformers.DetrForObjectDetection(config), ("pixel_values",), ("logits", "pred_boxes"))


def swin() -> nn.Module:
    config = transformers.SwinConfig(depths=[2, 2, 2, 2], num_labels=1000)
    return Fields(transformers.SwinForImageClassification(config), ("pixel_values",), ("logits",))


def convnext() -> nn.Module:
    config = transformers.ConvNextConfig(depths=[1, 1, 2, 1], num_labels=1000)
    return Fields(transformers.ConvNextForImageClassification(config), ("pixel_values",), ("logits",))


def segformer() -> nn.Module:
    config = transformers.SegformerConfig(num_labels=150)
    return Fields(transformers.SegformerForSemanticSegmentation(config), ("pixel_values",), ("logits",))


def whisper() -> nn.Module:
    config = transformers.WhisperConfig(encoder_layers=2, decoder_layers=1)
    return Fields(transformers.WhisperModel(config).encoder, ("input_features",), ("last_hidden_state",))


def t5() -> nn.Module:
    config = transformers.T5Config(num_layers=2, vocab_size=VOCABULARY)
    network = transformers.T5EncoderModel(config)
    return Fields(network, ("input_ids", "attention_mask"), ("last_hidden_state",))


def tokens(batch: int, length: int, vocabulary: int = VOCABULARY) -> Tensor:
    return torch.randint(3, vocabulary, (batch, length))


def mask(batch: int, length: int) -> Tensor:
    """Return ones, but for the end of the first row."""
    found = torch.ones(batch, length, dtype=torch.int64)
    found[0, length - length // 4 :] = 0
    return found


def past(batch: int, length: int, layers: int, heads: int, width: int = 64) -> list[Tensor]:
    return [torch.randn(batch, heads, length, width) for _ in range(2 * layers)]
