/* label.c - label order: group, router, node */
#include "machine/order/order.h"

const struct order order_label = {
	.entry =
		{
			.name = "label",
			.example = "label",
			.summary = "by label: group, router, node",
		},
};
