#!/usr/bin/env python3
"""Writes tokenizer-json.json: small `tokenizer.json` files of many kinds, and the ids that the PyPI package `tokenizers` gives.

Its trainer of unigram models draws lots: their pieces differ from run to run.

    pip install tokenizers==0.23.3 sentencepiece protobuf
    python3 make-tokenizer-json.py
"""
import base64
import json
import pathlib
import re
import tempfile

import sentencepiece
import tokenizers
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Regex, Tokenizer, decoders as D, models, normalizers as N, pre_tokenizers as P, trainers

TEXT = """The quick brown fox jumps over the lazy dog. It's 12 o'clock, and they'll
say: we've 123 apples, 1234 pears and 100000 nuts.  The other one isn't there.

    def hello(name):
        return "hello " + name

In the beginning there was the word, and the word was in the other thing.
The thing is: don't tell them that they're there 2024 or 2025 or 12.50!!
"""

TEXTS = [
    'Hello world',
    'The quick brown fox jumps over the lazy dog.',
    " It's they'll DON'T we've I'M",
    '1 12 123 1234 12345 100000 12.50',
    '  two  spaces   three    four ',
    'line one\nline two\n\nline four\r\n\ttab\t\ttabs',
    'def hello(name):\n    return "hello " + name\n',
    'na\u00efve caf\u00e9 \u00fcber stra\u00dfe',
    '\u4f60\u597d\uff0c\u4e16\u754c\u3002\u3053\u3093\u306b\u3061\u306f \uc548\ub155',
    'emoji \U0001F600 \U0001F468\u200D\U0001F469\u200D\U0001F467 flags \U0001F1EB\U0001F1F7',
    '\u0627\u0644\u0633\u0644\u0627\u0645 \u05e9\u05dc\u05d5\u05dd \u041f\u0440\u0438\u0432\u0435\u0442',
    '<|im_start|>user\nHi there<|im_end|>\n<|im_start|>assistant\n<think>so</think>',
    '<start_of_turn>user\nHi<end_of_turn>\n<s>[INST] Hi [/INST]</s>',
    '<|user|>\n  Hi there <|end|>\n<|assistant|>\n',
    '<tool_call>{"name": "f", "arguments": {"x": 1}}</tool_call>',
    'trailing space ',
    '!!??...--//\\\\@#$%^&*()',
    '',
    ' ',
    '\n',
]

def train_merges(words, count):
    """Plain byte-pair training; ties go to the pair that sorts first."""
    words = [list(w) for w in words]
    merges = []
    while len(merges) < count:
        pairs = {}
        for w in words:
            for a, b in zip(w, w[1:]):
                pairs[(a, b)] = pairs.get((a, b), 0) + 1
        if not pairs:
            break
        best = min(pairs, key=lambda p: (-pairs[p], p))
        merges.append(best)
        for w in words:
            i = 0
            while i + 1 < len(w):
                if (w[i], w[i + 1]) == best:
                    w[i:i + 2] = [w[i] + w[i + 1]]
                i += 1
    return merges


TEXTS += ['e\u0301 \u00e9 \ufb01 \u2460 \uff21\uff22 \u212b \u1e9b\u0323 \uac01 \u1100\u1161\u11a8','  leading, trailing  ','a\u00a0b\u3000c\u2003d','x²=½ ٣٤٥ 12345678','``quoted\'\' text','\u0130stanbul \u0391\u03a3','don\'t WON\'T\n\n  \n next\r\n\r\nline','中文,标点。한국어 テスト','$+<=>^`|~ a_b-c']
corpus=[TEXT]*3+['naïve café über straße é ﬁ ﬁne ½ ² ① １２３ ABC abc Ａｂｃ', 'the  quick   brown fox','don\'t they\'ll we\'ve']
CL='(?i:\'s|\'t|\'re|\'ve|\'m|\'ll|\'d)'
R=r"| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"
W=r"[^\r\n\p{L}\p{N}]?\p{L}+"
up=r"[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]"; lo=r"[\p{Ll}\p{Lm}\p{Lo}\p{M}]"; sl=r"| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"; ld=r"[^\r\n\p{L}\p{N}]?"
GPT2=r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
MARK=r"""[!"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+| ?[\p{P}\p{S}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+"""
LET = r'\s?[A-Za-zµÀ-ÖØ-öø-ƺƼ-ƿǄ-ʓʕ-ʯͰ-ͳͶͷͻ-ͽͿΆΈ-ΊΌΎ-ΡΣ-ϵϷ-ҁҊ-ԯԱ-ՖႠ-ჅᎠ-Ᏽᏸ-ᏽᲐ-ᲺᲽ-Ჿᴀ-ᴫᵫ-ᵷᵹ-ᶚḀ-ἕἘ-Ἕἠ-ὅὈ-Ὅὐ-ὗὙὛὝὟ-ώᾀ-ᾴᾶ-ᾼιῂ-ῄῆ-ῌῐ-ΐῖ-Ίῠ-Ῥῲ-ῴῶ-ῼℂℇℊ-ℓℕℙ-ℝℤΩℨK-ℭℯ-ℴℹℼ-ℿⅅ-ⅉⅎↃↄⰀ-ⱻⱾ-ⳤⳫ-ⳮⳲⳳꙀ-ꙭꚀ-ꚛꜢ-ꝯꝱ-ꞇꞋ-ꞎꭰ-ꮿﬀ-ﬆﬓ-ﬗＡ-Ｚａ-ｚ𐐀-𐑏𐒰-𐓓𐓘-𐓻𐲀-𐲲𐳀-𐳲𑢠-𑣟𞤀-𞥃]+'
def iso(r,b='isolated',inv=False): return P.Split(Regex(r),b,invert=inv)
BL=lambda **k: P.ByteLevel(add_prefix_space=False,use_regex=False)
def bpe(norm,pre,n=60,**kw):
    t=Tokenizer(models.BPE(**kw)); 
    if norm: t.normalizer=norm
    t.pre_tokenizer=pre; t.decoder=D.ByteLevel()
    t.train_from_iterator(corpus,trainers.BpeTrainer(vocab_size=256+n,initial_alphabet=sorted(P.ByteLevel.alphabet()),special_tokens=['<|end|>'],show_progress=False))
    return t
S=P.Sequence
out=[]
def add(name,t,note=None):
    j=json.loads(t.to_str()); 
    cases=[]
    for x in TEXTS:
        cases.append(t.encode(x,add_special_tokens=False).ids)
    out.append({'name':name,'tokenizer':j,'ids':cases})
add('gpt-2',bpe(None,P.ByteLevel(add_prefix_space=False)))
add('roberta, a space in front',bpe(None,P.ByteLevel(add_prefix_space=True)))
add('NFC, qwen2',bpe(N.NFC(),S([iso(CL+'|'+W+r'|\p{N}'+R),BL()])))
add('NFKC, llama 3',bpe(N.NFKC(),S([iso(CL+'|'+W+r'|\p{N}{1,3}'+R),BL()]),ignore_merges=True))
add('NFD, Lowercase, StripAccents, gpt-2',bpe(N.Sequence([N.NFD(),N.Lowercase(),N.StripAccents()]),P.ByteLevel(add_prefix_space=False)))
add('NFKD, Replace, Strip, removed and inverted',bpe(N.Sequence([N.NFKD(),N.Replace('``','"'),N.Replace("''",'"'),N.Strip()]),S([iso(GPT2,'removed',True),BL()])))
add('Prepend, Digits, starcoder',bpe(N.Prepend('x'),S([P.Digits(individual_digits=True),P.ByteLevel(add_prefix_space=False)])))
add('Digits together, Punctuation',bpe(None,S([P.Digits(individual_digits=False),P.Punctuation(),P.ByteLevel(add_prefix_space=False)])))
add('Punctuation in runs, collapsed spaces',bpe(N.Replace(Regex(' {2,}'),' '),S([P.Punctuation('contiguous'),P.ByteLevel(add_prefix_space=False)])))
add('gpt-4o',bpe(None,S([iso(ld+up+'*'+lo+'+'+CL+'?|'+ld+up+'+'+lo+'*'+CL+r'?|\p{N}{1,3}'+sl),BL()])))
add('tekken',bpe(None,S([iso(ld+up+'*'+lo+'+|'+ld+up+'+'+lo+r'*|\p{N}'+sl),BL()]),ignore_merges=True))
add('qwen3.5',bpe(N.NFC(),S([iso(CL+r'|[^\r\n\p{L}\p{N}]?[\p{L}\p{M}]+|\p{N}| ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+'),BL()])))
add('deepseek v3',bpe(None,S([iso(r'\p{N}{1,3}'),iso('[一-龥\u3040-ゟ゠-ヿ]+'),iso(MARK),BL()])))
add('deepseek llm',bpe(None,S([iso('[\r\n]'),iso(LET),iso(r'\s?[!-/:-~！-／：-～‘-‟　-。]+'),iso(r'\s+$'),iso('[一-龥ࠀ-一가-퟿]+'),P.Digits(individual_digits=True),BL()])))
add('deepseek coder',bpe(None,S([iso('[\r\n]'),iso(r'\s?\p{L}+'),iso(r'\s?\p{P}+'),iso('[一-龥ࠀ-一가-퟿]+'),P.Digits(individual_digits=True),BL()])))
add('falcon',bpe(None,S([P.Punctuation('contiguous'),P.ByteLevel(add_prefix_space=False),P.Digits(individual_digits=False),iso('[0-9][0-9][0-9]')])))
add('bloom',bpe(None,S([iso(r' ?[^(\s|[.,!?…。，、।۔،])]+'),BL()])))
t=bpe(None,P.ByteLevel(add_prefix_space=False))
t.add_special_tokens([AddedToken('<|user|>',rstrip=True,special=True,normalized=False)])
t.add_tokens([AddedToken('</think>',lstrip=True,normalized=False),AddedToken('there',lstrip=True,rstrip=True,normalized=False)])
add('added pieces that take spaces along',t)
# sentencepiece spelled
def spm(norm,pre,decoder=None):
    t=Tokenizer(models.BPE(unk_token='<unk>',byte_fallback=True,fuse_unk=True))
    if norm: t.normalizer=norm
    if pre: t.pre_tokenizer=pre
    words=[w.replace(' ','\u2581') for w in re.findall(r" ?[^\s]+|\n+| +", TEXT+' naïve café')]
    merges=train_merges(words,64); chars=sorted(set(''.join(words)))
    vocab={'<unk>':0,'<s>':1,'</s>':2}
    for b in range(256): vocab['<0x%02X>'%b]=len(vocab)
    for a,b in merges:
        if a+b not in vocab: vocab[a+b]=len(vocab)
    for c in chars:
        if c not in vocab: vocab[c]=len(vocab)
    t.model=models.BPE(vocab=vocab,merges=merges,unk_token='<unk>',byte_fallback=True,fuse_unk=True)
    t.add_special_tokens([AddedToken(x,special=True,normalized=False) for x in('<unk>','<s>','</s>')])
    t.add_tokens([AddedToken('[INST]',normalized=False)])
    return t
M='\u2581'
add('llama 2: Prepend and Replace',spm(N.Sequence([N.Prepend(M),N.Replace(' ',M)]),None))
add('gemma: Replace, Split at spaces',spm(N.Replace(' ',M),P.Split(' ','merged_with_previous')))
add('Metaspace first',spm(None,P.Metaspace(prepend_scheme='first',split=False)))
add('Metaspace always, split, NFKC',spm(N.NFKC(),P.Metaspace(prepend_scheme='always',split=True)))
add('Metaspace never',spm(None,P.Metaspace(prepend_scheme='never',split=False)))
# unigram
def uni(norm,pre,bf=False):
    t=Tokenizer(models.Unigram()); 
    if norm: t.normalizer=norm
    t.pre_tokenizer=pre
    t.train_from_iterator(corpus,trainers.UnigramTrainer(vocab_size=150,special_tokens=['<unk>','</s>'],unk_token='<unk>',show_progress=False))
    if bf:
        v=json.loads(t.to_str())['model']['vocab']; v=[tuple(x) for x in v]+[('<0x%02X>'%b,-20.0) for b in range(256)]
        t.model=models.Unigram(vocab=v,unk_id=0,byte_fallback=True)
    return t
add('unigram, NFKC, Metaspace',uni(N.NFKC(),P.Metaspace()))
add('unigram, words by white space, Lowercase',uni(N.Sequence([N.NFKD(),N.StripAccents(),N.Lowercase()]),S([P.WhitespaceSplit(),P.Metaspace()])))
add('unigram, first only, bytes',uni(N.Sequence([N.Strip(left=False,right=True),N.Replace(Regex(' {2,}'),M)]),P.Metaspace(prepend_scheme='first'),True))
d=tempfile.mkdtemp(); open(d+'/rules.tsv','w').write("FB01\t66 69\nFF21\t41\n2460\t31\n65 301\tE9\n212B\tC5\n")
open(d+'/t.txt','w').write('\n'.join(corpus))
sentencepiece.SentencePieceTrainer.train(input=d+'/t.txt',model_prefix=d+'/m',vocab_size=120,hard_vocab_limit=False,normalization_rule_tsv=d+'/rules.tsv',minloglevel=2)
m=sentencepiece_model_pb2.ModelProto(); m.ParseFromString(open(d+'/m.model','rb').read()); cm=m.normalizer_spec.precompiled_charsmap
j=json.loads(uni(N.Strip(left=False,right=True),P.Metaspace()).to_str())
j['normalizer']={'type':'Sequence','normalizers':[{'type':'Precompiled','precompiled_charsmap':base64.b64encode(cm).decode()},{'type':'Replace','pattern':{'Regex':' {2,}'},'content':' '}]}
add('unigram, Precompiled',Tokenizer.from_str(json.dumps(j)))
target = pathlib.Path(__file__).with_name('tokenizer-json.json')
target.write_text(json.dumps({'texts': TEXTS, 'made_with': 'tokenizers ' + tokenizers.__version__, 'tokenizers': out},
                             ensure_ascii=False, separators=(',', ':')))
