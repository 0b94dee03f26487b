"""An order for each payer that its gateway was told of"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_BEFORE = ["preorder_id", "wallet", "channel"]
_AFTER = [*_BEFORE, "payer"]


def upgrade() -> None:
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.add_column(sa.Column("payer", sa.String(length=32), server_default="", nullable=False))
        batch_op.drop_constraint(batch_op.f("uq_orders_preorder_id_wallet_channel"), type_="unique")
        batch_op.create_unique_constraint(batch_op.f("uq_orders_preorder_id_wallet_channel_payer"), _AFTER)


def downgrade() -> None:
    with op.batch_alter_table("orders", schema=None) as batch_op:
        batch_op.drop_constraint(batch_op.f("uq_orders_preorder_id_wallet_channel_payer"), type_="unique")
        batch_op.drop_column("payer")
        batch_op.create_unique_constraint(batch_op.f("uq_orders_preorder_id_wallet_channel"), _BEFORE)
